import { fileURLToPath } from "node:url";
import { getDms } from "@alcove/contract/messaging";
import { startCaddy } from "@alcove/test-services/caddy";
import { freePort, startServer } from "@alcove/test-services/server";
import { message, messageTexts, sendMessage } from "../../actions/chat-actions.ts";
import { mouse } from "../../actions/input-method.ts";
import { matchedPair, sendText } from "../../actions/members.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { expect, test } from "../../fixtures/test.ts";

const CADDYFILE = fileURLToPath(new URL("../../../deploy/Caddyfile", import.meta.url));
const RECOVERY = { timeout: 45_000 };

test(
  "chats on while the two processes behind the proxy are killed in turn",
  { tag: "@long" },
  async ({ visit, member, settings }) => {
    test.setTimeout(180_000);
    const [hanako, taro] = await matchedPair(member);
    const ports = [await freePort(), await freePort()];
    const start = (port: number) => startServer({ ...settings, PORT: String(port) });
    const servers = await Promise.all(ports.map(start));
    const proxy = await startCaddy(
      CADDYFILE,
      ports.map((port) => `127.0.0.1:${port}`),
    );
    try {
      const visitor = await visit({ device: "phone", serverUrl: proxy.url });
      const { page, t } = visitor;
      visitor.allowError(/net::ERR_|WebSocket|status of 50/);
      await openAsMember(visitor, hanako, `/dm/${taro.userId}`);
      await expect(page.getByText(t.chat.openersHint)).toBeVisible();

      for (const at of [0, 1]) {
        await servers[at]!.stop("SIGKILL");
        await sendMessage(visitor, mouse, `Sent while ${at} is down.`);
        await sendText(taro, hanako, `Received while ${at} is down.`);

        await expect(message(visitor, `Received while ${at} is down.`)).toBeVisible(RECOVERY);
        await expect(page.getByText(t.chat.sending)).toBeHidden(RECOVERY);
        await expect(page.getByText(t.chat.waiting)).toBeHidden(RECOVERY);
        await expect(page.getByText(t.chat.notSent)).toBeHidden();
        servers[at] = await start(ports[at]!);
      }

      const { dms } = await taro.call(getDms, { friendId: hanako.userId });
      expect(dms).toHaveLength(4);
      expect(await messageTexts(visitor)).toEqual(dms.map(({ description }) => description));
    } finally {
      await proxy.close();
      await Promise.all(servers.map((server) => server.stop("SIGKILL")));
    }
  },
);
