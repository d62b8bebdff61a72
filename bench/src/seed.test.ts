import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, test } from "vitest";
import { getOptions, saveLocation } from "@alcove/contract/discovery";
import { sendDm } from "@alcove/contract/messaging";
import { createClient, signUp } from "@alcove/test-services/client";
import { signUpForm } from "@alcove/test-services/fixtures";
import { startMailbox } from "@alcove/test-services/mail";
import { startServer } from "@alcove/test-services/server";
import { CITIES, createKeys, keyVariables, placeNear } from "./population.ts";
import { databaseIn } from "./seed.ts";
import { seedPairs } from "./seed-matches.ts";

test("seeded members fit the schema: they are found, and chat", { tags: "long" }, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "alcove-bench-"));
  const [key, token] = [createKeys(), "a secret of thirty-two characters"];
  const mailbox = await startMailbox();
  const server = await startServer({
    DATA_DIR: dataDir,
    SMTP_URL: mailbox.url,
    MAIL_FROM: "hello@alcove.example",
    ...keyVariables(key),
    TOKEN_SECRET: token,
    BOT_CHECK: "off",
  });
  const db = new pg.Client({ connectionString: databaseIn(dataDir) });
  await db.connect();
  try {
    const inTokyo = { place: placeNear("tokyo", () => 0.5), seeks: "all", maxKm: 500, away: 0 } as const;
    const [pair] = await seedPairs(db, { encryption: key, token }, 5, (member) => ({
      ...member,
      ...inTokyo,
    }));
    const viewer = await signUp(server.url, mailbox, signUpForm("viewer", { search_sex: "all" }));
    await viewer.call(saveLocation, { location: CITIES.tokyo.slice(0, 2).join(",") });

    expect((await viewer.call(getOptions, {})).options).toHaveLength(1);
    const [from, to] = pair!;
    const { dm } = await createClient(server.url, from.token).call(sendDm, {
      receiverId: to.userId,
      description: "Hello",
    });
    expect(dm.description).toBe("Hello");
  } finally {
    await db.end();
    await server.stop();
    await mailbox.close();
    await rm(dataDir, { recursive: true, force: true });
  }
});
