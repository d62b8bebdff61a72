import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startMailbox, type Mailbox } from "@alcove/test-services/mail";
import { freePort, startServer } from "@alcove/test-services/server";

export interface App {
  readonly url: string;
  readonly mailbox: Mailbox;
  stop(): Promise<void>;
}

/** Starts the server with the built web app, an empty database and no limits. */
export async function startApp(): Promise<App> {
  const dataDir = await mkdtemp(join(tmpdir(), "alcove-bench-"));
  const mailbox = await startMailbox();
  const port = String(await freePort());
  const server = await startServer({
    PORT: port,
    PUBLIC_URL: `http://127.0.0.1:${port}`, // else pages have no canonical links
    DATA_DIR: dataDir,
    BOT_CHECK: "off",
    RATE_LIMITS: "off",
    FREE_CARDS_PER_DAY: "100",
    FACE_DETECTION: "off",
    LOG_LEVEL: "warn",
    SMTP_URL: mailbox.url,
  });
  return {
    url: server.url,
    mailbox,
    async stop() {
      await server.stop();
      await mailbox.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
