import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import { SECOND_MS } from "../../platform/clock.ts";
import { isLoopback } from "../../platform/config-reader.ts";
import type { Email, Mailer } from "../../platform/context.ts";
import { createPrivateFolder, openPrivateFolder } from "../../platform/lib/private-folder.ts";
import type { Log } from "../../platform/log.ts";
import type { Metrics } from "../../platform/metrics.ts";
import type { Config } from "../../config.ts";
import { outboxFolder } from "./outbox.ts";

const TIMEOUTS = {
  dnsTimeout: 10 * SECOND_MS,
  connectionTimeout: 10 * SECOND_MS,
  greetingTimeout: 10 * SECOND_MS,
  socketTimeout: 30 * SECOND_MS,
};

/**
 * Without SMTP, writes emails to `DATA_DIR/outbox`. A permanent rejection is logged without its address; other errors
 * are thrown, so that the job retries.
 */
export async function openMailer(config: Config, log: Log, metrics: Metrics): Promise<Mailer> {
  const from = sender(config);
  const transport = config.smtpUrl ? bySmtp(config.smtpUrl) : await intoFolder(outboxFolder(config));
  return {
    async send(email) {
      try {
        await transport.send(envelope(email, from));
        metrics.recordEmail("sent");
        metrics.recordDependency("email", true);
      } catch (error) {
        metrics.recordEmail("failed");
        const status = permanentRejection(error);
        metrics.recordDependency("email", status !== null);
        if (status === null) throw withoutAddress(error);
        log.warn({ smtp: status }, "the mail server rejected an email permanently");
      }
    },
    close: () => transport.close(),
  };
}

function sender(config: Config): { name: string; address: string } {
  const given = /^(?:(?<name>[^<]*)<)?(?<address>[^<>\s]+@[^<>\s]+?)>?$/.exec(config.mailFrom ?? "")?.groups;
  const host = config.publicUrl ? new URL(config.publicUrl).hostname : "localhost";
  return {
    name: given?.["name"]?.trim().replaceAll('"', "") || config.brandName,
    address: given?.["address"] ?? `no-reply@${host}`,
  };
}

type Envelope = ReturnType<typeof envelope>;
interface Transport {
  send(email: Envelope): Promise<void>;
  close(): void;
}

function envelope(email: Email, from: { name: string; address: string }) {
  const domain = from.address.slice(from.address.lastIndexOf("@") + 1);
  return {
    id: email.messageId,
    from,
    to: { name: "", address: email.to },
    subject: email.subject,
    text: email.text,
    ...(email.html !== undefined && { html: email.html }),
    ...(email.replyTo !== undefined && { replyTo: { name: "", address: email.replyTo } }),
    messageId: `<${email.messageId}@${domain}>`,
    headers: {
      "Auto-Submitted": "auto-generated",
      "X-Auto-Response-Suppress": "All",
      ...(email.unsubscribe !== undefined && {
        "List-Unsubscribe": `<${email.unsubscribe}>`,
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      }),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Emails contain codes, so they leave this machine encrypted, or not at all. The URL may add `?requireTLS=false`. */
function bySmtp(url: string): Transport {
  const requireTLS = !isLoopback(new URL(url).hostname);
  const transport = createTransport({ url, requireTLS, ...TIMEOUTS });
  return {
    send: async (email) => void (await transport.sendMail(email)),
    close: () => transport.close(),
  };
}

/** A repeated email replaces its file. A file appears complete or not at all. */
async function intoFolder(folder: string): Promise<Transport> {
  await openPrivateFolder(folder);
  const transport = createTransport({ streamTransport: true, buffer: true });
  return {
    async send(email) {
      const { message } = await transport.sendMail(email);
      await createPrivateFolder(folder);
      const draft = join(folder, `.${email.id}.draft`);
      await writeFile(draft, message as Buffer, { mode: 0o600 });
      await rename(draft, join(folder, `${email.id}.eml`));
    },
    close: () => transport.close(),
  };
}

function permanentRejection(error: unknown): number | null {
  const { responseCode, code } = error as { responseCode?: number; code?: string };
  const isAboutEmail = code === "EENVELOPE" || code === "EMESSAGE";
  return isAboutEmail && responseCode !== undefined && responseCode >= 500 ? responseCode : null;
}

/** Mail servers quote addresses, so the log gets only the codes. */
function withoutAddress(error: unknown): Error {
  const { code = "unknown", responseCode = "none" } = error as { responseCode?: number; code?: string };
  return new Error(`the email could not be sent (${code}, response ${responseCode})`);
}
