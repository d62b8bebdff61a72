import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import { SECOND_MS } from "../../platform/clock.ts";
import type { Email, Mailer } from "../../platform/context.ts";
import { createPrivateFolder, openPrivateFolder } from "../../platform/lib/private-folder.ts";
import type { Log } from "../../platform/log.ts";
import type { Metrics } from "../../platform/metrics.ts";
import type { Config } from "../../config.ts";

// A mail server that hangs must not hold a worker for minutes: the letter is tried again later.
const TIMEOUTS = {
  dnsTimeout: 10 * SECOND_MS,
  connectionTimeout: 10 * SECOND_MS,
  greetingTimeout: 10 * SECOND_MS,
  socketTimeout: 30 * SECOND_MS,
};

/**
 * Opens the way that letters take: by SMTP where `SMTP_URL` is set, else into `DATA_DIR/outbox` as .eml files.
 *
 * A letter that a mail server refuses for good (5xx) is counted and logged without its address, and not tried again;
 * every other failure is thrown, so that the job comes back to it.
 */
export async function openMailer(config: Config, log: Log, metrics: Metrics): Promise<Mailer> {
  const from = sender(config);
  const way = config.smtpUrl ? bySmtp(config.smtpUrl) : await intoFolder(join(config.dataDir, "outbox"));
  return {
    async send(letter) {
      try {
        await way.send(envelope(letter, from));
        metrics.recordEmail("sent");
      } catch (error) {
        metrics.recordEmail("failed");
        const refused = permanentRefusal(error);
        if (refused === null) throw withoutAddress(error);
        log.warn({ smtp: refused }, "a letter was refused for good");
      }
    },
    close: () => way.close(),
  };
}

/** Neutral: the product's name and an address that tells nothing (decisions, section 5). */
function sender(config: Config): { name: string; address: string } {
  const given = /^(?:(?<name>[^<]*)<)?(?<address>[^<>\s]+@[^<>\s]+?)>?$/.exec(config.mailFrom ?? "")?.groups;
  const host = config.publicUrl ? new URL(config.publicUrl).hostname : "localhost";
  return {
    name: given?.["name"]?.trim().replaceAll('"', "") || config.brandName,
    address: given?.["address"] ?? `no-reply@${host}`,
  };
}

type Envelope = ReturnType<typeof envelope>;
interface Way {
  send(letter: Envelope): Promise<void>;
  close(): void;
}

function envelope(letter: Email, from: { name: string; address: string }) {
  const domain = from.address.slice(from.address.lastIndexOf("@") + 1);
  return {
    id: letter.messageId,
    from,
    to: { name: "", address: letter.to },
    subject: letter.subject,
    text: letter.text,
    html: letter.html,
    messageId: `<${letter.messageId}@${domain}>`,
    headers: {
      "Auto-Submitted": "auto-generated",
      "X-Auto-Response-Suppress": "All",
      ...(letter.unsubscribe !== undefined && {
        "List-Unsubscribe": `<${letter.unsubscribe}>`,
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      }),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function bySmtp(url: string): Way {
  const transport = createTransport({ url, ...TIMEOUTS });
  return {
    send: async (letter) => void (await transport.sendMail(letter)),
    close: () => transport.close(),
  };
}

/** The same letter sent again replaces its file; a file appears whole or not at all. */
async function intoFolder(folder: string): Promise<Way> {
  await openPrivateFolder(folder);
  const transport = createTransport({ streamTransport: true, buffer: true });
  return {
    async send(letter) {
      const { message } = await transport.sendMail(letter);
      await createPrivateFolder(folder);
      const draft = join(folder, `.${letter.id}.draft`);
      await writeFile(draft, message as Buffer, { mode: 0o600 });
      await rename(draft, join(folder, `${letter.id}.eml`));
    },
    close: () => transport.close(),
  };
}

function permanentRefusal(error: unknown): number | null {
  const { responseCode, code } = error as { responseCode?: number; code?: string };
  const isAboutLetter = code === "EENVELOPE" || code === "EMESSAGE";
  return isAboutLetter && responseCode !== undefined && responseCode >= 500 ? responseCode : null;
}

/** Mail servers quote addresses in their answers; the log gets the codes alone. */
function withoutAddress(error: unknown): Error {
  const { code = "unknown", responseCode = "none" } = error as { responseCode?: number; code?: string };
  return new Error(`the letter could not be sent (${code}, answer ${responseCode})`);
}
