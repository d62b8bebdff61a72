// @module-tag long
import { randomUUID } from "node:crypto";
import pg from "pg";
import sharp from "sharp";
import { expect, onTestFinished, test } from "vitest";
import { getOwnUser } from "@alcove/contract/accounts";
import { likeUser, saveLocation } from "@alcove/contract/discovery";
import { sendDm } from "@alcove/contract/messaging";
import { readAllDms } from "@alcove/test-services/chats";
import { CallError, signUp } from "@alcove/test-services/client";
import { signUpForm } from "@alcove/test-services/fixtures";
import { startMailbox } from "@alcove/test-services/mail";
import { startServer } from "@alcove/test-services/server";
import { mountSmallDisk } from "@alcove/test-services/small-disk";
import { runningPostgresUrl } from "../../src/platform/embedded-postgres/server.ts";
import { fileOf } from "../../src/testing/sample-pictures.ts";
import { eventually } from "../../src/testing/test-service.ts";

const DISK_MB = 256;
/** Room for a few rows, not for a picture. */
const SPARE_BYTES = 64 * 1024;
const RECOVERY_MS = 20_000;

/** A server whose database and pictures share a small disk. */
async function onSmallDisk() {
  const disk = mountSmallDisk(DISK_MB);
  onTestFinished(disk.close);
  const mailbox = await startMailbox();
  onTestFinished(mailbox.close);
  const server = await startServer({
    DATA_DIR: disk.path,
    SMTP_URL: mailbox.url,
    BOT_CHECK: "off",
    RATE_LIMITS: "off",
    FACE_DETECTION: "off",
    LOG_LEVEL: "warn",
  });
  onTestFinished(async () => void (await server.stop()));
  const join = (userId: string, sex: "female" | "male") =>
    signUp(server.url, mailbox, signUpForm(userId, { sex }));
  const [hanako, taro] = [await join("hanako", "female"), await join("taro", "male")];
  for (const member of [hanako, taro]) await member.call(saveLocation, { location: "139.7671,35.6812" });
  await hanako.call(likeUser, { likedId: "taro" });
  await taro.call(likeUser, { likedId: "hanako" });
  return { disk, server, hanako, taro };
}

/** A picture that no codec makes small. */
const noise = () =>
  sharp({
    create: {
      width: 1_200,
      height: 1_200,
      channels: 3,
      background: "black",
      noise: { type: "gaussian", mean: 128, sigma: 60 },
    },
  });

const codeOf = (error: unknown) => (error instanceof CallError ? error.body["code"] : error);

test("names the reason when the disk is full, serves reads, and recovers without hands", async () => {
  const { disk, server, hanako, taro } = await onSmallDisk();
  const picture = fileOf(await noise().png().toBuffer());
  const stored: string[] = [];
  const send = async (text: string, clientId: string = randomUUID()) => {
    const { dm } = await hanako.call(sendDm, { receiverId: "taro", description: text, clientId });
    stored.push(dm.description!);
  };
  const sendUntilFull = async () => {
    for (let i = 0; ; i++) {
      const [text, clientId] = [`${i} ${"long ".repeat(300)}`, randomUUID()];
      const error = await send(text, clientId).catch((failure: unknown) => failure);
      if (error) return { text, clientId, error };
    }
  };

  disk.fill(SPARE_BYTES);
  const image = await taro.call(sendDm, { receiverId: "hanako", file: picture }).catch(codeOf);
  const { text, clientId, error } = await sendUntilFull();
  expect([image, codeOf(error)]).toEqual(["media_unavailable", "service_unavailable"]);
  expect((await taro.call(getOwnUser, {})).user.username).toBe("taro");
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  expect(server.output()).toContain("No space left on device");
  expect(server.output()).not.toContain("a request failed");

  // Without space for its log the database crashes, and cannot start.
  await fillLog(runningPostgresUrl(disk.path)!);
  await eventually(async () => expect((await fetch(`${server.url}/readyz`)).status).toBe(503));
  expect(await taro.call(getOwnUser, {}).catch(codeOf)).toBe("service_unavailable");

  disk.free();
  await eventually(async () => expect((await fetch(`${server.url}/readyz`)).status).toBe(200), RECOVERY_MS);
  await send(text, clientId);
  await send(text, clientId).then(() => stored.pop());
  await taro.call(sendDm, { receiverId: "hanako", file: picture });
  const found = await readAllDms(server.url, taro, "hanako");
  expect(found.flatMap(({ description }) => description ?? [])).toEqual(stored);
  expect(found.filter(({ file }) => file)).toHaveLength(1);
}, 90_000);

/** Writes to the database's log until it is full. */
async function fillLog(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  const message = "select pg_logical_emit_message(true, 'alcove', repeat('x', 2000000))";
  const writeAll = async () => {
    for (;;) await client.query(message);
  };
  await expect(writeAll()).rejects.toThrow();
  await client.end().catch(() => undefined);
}
