import { onTestFinished, expect, test } from "vitest";
import { startMailbox } from "@alcove/test-services/mail";
import { readConfig } from "../../config.ts";
import { openLog } from "../../platform/log.ts";
import { Metrics } from "../../platform/metrics.ts";
import { openMailer } from "./mailer.ts";

const email = { to: "hanako@example.com", subject: "Alcove", text: "", html: "", messageId: "1" };

test("sends emails to a mail server of another machine only encrypted, unless configured", async () => {
  const mailbox = await startMailbox();
  onTestFinished(mailbox.close);
  // The same server, by an address that does not look like this machine's.
  const elsewhere = mailbox.url.replace("127.0.0.1", "[::ffff:127.0.0.1]");
  const metrics = new Metrics();
  const isUp = async () => /^alcove_dependency_up.* (\d)$/m.exec(await metrics.registry.metrics())?.[1];
  const send = async (url: string) => {
    const mailer = await openMailer(readConfig({ SMTP_URL: url }), openLog("fatal"), metrics);
    onTestFinished(() => mailer.close());
    await mailer.send(email);
  };

  await expect(send(elsewhere)).rejects.toThrow("the email could not be sent");
  expect(mailbox.emails(email.to)).toHaveLength(0);
  expect(await isUp()).toBe("0");

  await send(mailbox.url);
  await send(`${elsewhere}?requireTLS=false`);
  expect(mailbox.emails(email.to)).toHaveLength(2);
  expect(await isUp()).toBe("1");
});
