import { expect, onTestFinished, test } from "vitest";
import { requestSignUpCode } from "@alcove/contract/accounts";
import { createClient } from "@alcove/test-services/client";
import { startMailbox } from "@alcove/test-services/mail";
import { startNetworkProxy } from "@alcove/test-services/network-proxy";
import { startServer } from "@alcove/test-services/server";
import { serviceForTest } from "../../testing/match.ts";
import { eventually } from "../../testing/test-service.ts";
import { withoutDatabase } from "../../testing/without-database.ts";

test(
  "keeps serving when the database is down at the end of a job, and runs the job again",
  { tags: "long", timeout: 60_000 },
  async () => {
    const service = await serviceForTest();
    await service.ctx.jobs.stop();
    const mailbox = await startMailbox();
    onTestFinished(mailbox.close);
    const line = await startNetworkProxy(mailbox.url);
    onTestFinished(line.close);
    const server = await startServer({
      DATABASE_URL: service.databaseUrl,
      DATA_DIR: service.dataDir,
      SMTP_URL: line.url,
      BOT_CHECK: "off",
    });
    onTestFinished(async () => void (await server.stop()));
    const email = "hanako@example.com";

    line.slow(Infinity);
    await createClient(server.url).call(requestSignUpCode, {
      email,
      agree_privacy_policy: "yes",
      agree_tos: "yes",
    });
    // The job waits for the mail server.
    await eventually(() => expect(line.isConnected()).toBe(true));
    await withoutDatabase(service.databaseUrl, async () => {
      line.cut();
      line.mend();
      await eventually(() => expect(server.output()).toContain("the email could not be sent"));
    });

    const { code } = await mailbox.waitForEmail(email);
    expect(code).toMatch(/^\d{6}$/);
    expect(await (await fetch(`${server.url}/healthz`)).json()).toEqual({ ok: true });
  },
);
