import { expect, onTestFinished, test } from "vitest";
import { requestSignUpCode } from "@alcove/contract/accounts";
import { createClient } from "@alcove/test-services/client";
import { startMailbox } from "@alcove/test-services/mail";
import { startNetworkProxy } from "@alcove/test-services/network-proxy";
import { startServer } from "@alcove/test-services/server";
import { ownService } from "../../testing/service-for-test.ts";
import { eventually } from "../../testing/test-service.ts";
import { withoutDatabase } from "../../testing/without-database.ts";

const EMAIL = "hanako@example.com";

/** A server with a job that waits for the mail server. */
async function serverWithRunningJob() {
  const service = await ownService();
  await service.ctx.jobs.stop();
  const mailbox = await startMailbox();
  onTestFinished(mailbox.close);
  const line = await startNetworkProxy(mailbox.url);
  onTestFinished(line.close);
  const { databaseUrl, dataDir } = service;
  const server = await startServer({
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    SMTP_URL: line.url,
    BOT_CHECK: "off",
  });
  onTestFinished(async () => void (await server.stop()));
  line.slow(Infinity);
  await createClient(server.url).call(requestSignUpCode, {
    email: EMAIL,
    agree_privacy_policy: "yes",
    agree_tos: "yes",
  });
  await eventually(() => expect(line.isConnected()).toBe(true));
  return { server, mailbox, line, databaseUrl };
}

test(
  "keeps serving when the database is down at the end of a job, and runs the job again",
  { tags: "long", timeout: 60_000 },
  async () => {
    const { server, mailbox, line, databaseUrl } = await serverWithRunningJob();

    await withoutDatabase(databaseUrl, async () => {
      line.cut();
      line.mend();
      await eventually(() => expect(server.output()).toContain("the email could not be sent"));
    });

    const { code } = await mailbox.waitForEmail(EMAIL);
    expect(code).toMatch(/^\d{8}$/);
    expect(await (await fetch(`${server.url}/healthz`)).json()).toEqual({ ok: true });
  },
);

test(
  "stops without waiting for a job when the database is down",
  { tags: "long", timeout: 60_000 },
  async () => {
    const { server, databaseUrl } = await serverWithRunningJob();

    await withoutDatabase(databaseUrl, async () => {
      await eventually(() => expect(server.output()).toContain("the event bus lost its database connection"));
      expect(await server.stop()).toEqual({ code: 0, signal: null });
      expect(server.output()).not.toContain("the email could not be sent");
    });
  },
);
