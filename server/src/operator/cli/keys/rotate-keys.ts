import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { MINUTE_MS, SECOND_MS, utcDay } from "../../../platform/clock.ts";
import type { EncryptionKey } from "../../../platform/config-reader.ts";
import type { AppContext } from "../../../platform/context.ts";
import { connectAlone } from "../../../platform/db/database.ts";
import { rewrap } from "../../../platform/keys/data-keys.ts";
import {
  hasKeysOfOthers,
  lockKeysOfOthers,
  readIdsOfOthers,
  replaceKeys,
} from "../../../platform/keys/data-keys.sql.ts";
import * as rows from "../../../platform/keys/master-keys.sql.ts";
import {
  placeOfEncryptionKeys,
  readEncryptionKeys,
  replaceEncryptionKeys,
} from "../../../platform/keys/secrets.ts";
import { OperatorError } from "../command-line.ts";

export interface Rotation {
  readonly activeKey: string;
  readonly rewrapped: number;
  readonly nextStep: string | null;
}

type Process = Awaited<ReturnType<typeof rows.readLivingProcesses>>[number];

const KEY_BYTES = 32;
const BATCH_SIZE = 500;
const POLL_MS = SECOND_MS / 4;
const MAX_WAIT_MS = 2 * MINUTE_MS;
const DESTROY_COPIES =
  "run `keys backup`, and destroy old copies of the keys and all older backups of data keys";

/**
 * Each step can be repeated while servers run: after an interruption, the next call continues. If the new key was in
 * use already, another rotation follows, for keys destroyed since.
 *
 * The old master key is removed once it wraps no data key and every process uses the new one. Then old copies of
 * destroyed data keys are unreadable.
 */
export async function rotateKeys(ctx: AppContext, databaseUrl: string): Promise<Rotation> {
  const { client, close } = await connectAlone(databaseUrl);
  try {
    if (!(await rows.takeRotationLock(client)))
      throw new OperatorError("Another rotation or a restore is running.");
    return await continueRotation(ctx);
  } finally {
    await close();
  }
}

async function continueRotation(ctx: AppContext): Promise<Rotation> {
  if (await isUnfinished(ctx)) {
    const { nextStep, ...facts } = await finish(ctx);
    if (nextStep) return { ...facts, nextStep: `${nextStep}, and run this command again` };
  }
  // Rotates once more: keys destroyed since the interrupted rotation are still wrapped by its new key.
  if (!(await hasNew(ctx))) {
    const nextStep = await introduceKey(ctx);
    if (nextStep) return { activeKey: ctx.masterKeys.active.id, rewrapped: 0, nextStep };
  }
  await activateNew(ctx);
  const finished = await finish(ctx);
  return { ...finished, nextStep: finished.nextStep ?? `${copyFile(ctx)}, ${DESTROY_COPIES}` };
}

async function finish(ctx: AppContext): Promise<Rotation> {
  const { id } = ctx.masterKeys.active;
  await waitForProcesses(ctx, id, ({ active_key }) => active_key === id);
  const rewrapped = await rewrapAll(ctx);
  await rows.retireReplaced(ctx.db, today(ctx));
  return { activeKey: id, rewrapped, nextStep: await dropRetired(ctx) };
}

const today = ({ clock }: AppContext): string => utcDay(clock.now());

/** An interrupted rotation has made its new key active. */
async function isUnfinished(ctx: AppContext): Promise<boolean> {
  const known = await rows.readMasterKeys(ctx.db);
  return known.some(({ state }) => state === "replaced") || (await findRetired(ctx)).length > 0;
}

async function hasNew(ctx: AppContext): Promise<boolean> {
  return (await rows.readMasterKeys(ctx.db)).some(({ state }) => state === "new");
}

/** With `SEALING_KEYS`, returns the operator's next step until they have added a key. */
async function introduceKey(ctx: AppContext): Promise<string | null> {
  const known = new Set((await rows.readMasterKeys(ctx.db)).map(({ key_id }) => key_id));
  const given = await readEncryptionKeys(ctx.config);
  // The file of an interrupted call, or the operator's variable, has a key that the database lacks.
  let added = given.findLast(({ id }) => !known.has(id));
  if (!added) {
    added = { id: freeId(known), key: randomBytes(KEY_BYTES) };
    if (ctx.config.encryptionKeys) return instructToAdd(added);
    await replaceEncryptionKeys(ctx.config, [...given, added]);
  }
  await ctx.masterKeys.add(added);
  return null;
}

function freeId(known: ReadonlySet<string>): string {
  for (let number = 1; ; number++) if (!known.has(`k${number}`)) return `k${number}`;
}

function instructToAdd({ id, key }: EncryptionKey): string {
  return `append ,${id}:${key.toString("base64")} to SEALING_KEYS of every server and of this command, restart the servers one by one, and run this command again`;
}

async function activateNew(ctx: AppContext): Promise<void> {
  const added = (await rows.readMasterKeys(ctx.db)).find(({ state }) => state === "new");
  if (!added) return;
  await waitForProcesses(ctx, added.key_id, ({ key_ids }) => key_ids.includes(added.key_id));
  await rows.activate(ctx.db, added.key_id, today(ctx));
  await ctx.masterKeys.refresh();
}

async function waitForProcesses(
  ctx: AppContext,
  keyId: string,
  isReady: (process: Process) => boolean,
): Promise<void> {
  const waiting = await countWaiting(ctx, isReady);
  if (waiting === 0) return;
  throw new OperatorError(
    `${waiting} servers do not use the master key ${keyId}: give them ${placeOfEncryptionKeys(ctx.config)} as it is here, and run this command again.`,
  );
}

/** Waits until every living process is ready. Returns the number of late ones. */
async function countWaiting(ctx: AppContext, isReady: (process: Process) => boolean): Promise<number> {
  const end = performance.now() + MAX_WAIT_MS;
  for (;;) {
    const waiting = (await rows.readLivingProcesses(ctx.db)).filter((process) => !isReady(process));
    if (waiting.length === 0 || performance.now() > end) return waiting.length;
    await delay(POLL_MS);
  }
}

/** Keys that others lock are tried again. */
async function rewrapAll(ctx: AppContext): Promise<number> {
  let count = 0;
  while (await hasKeysOfOthers(ctx.db, ctx.masterKeys.active.id)) {
    const before = count;
    for (let after: number | null = Number.MIN_SAFE_INTEGER; after !== null;) {
      const batch: { count: number; last: number | null } = await rewrapBatch(ctx, after);
      count += batch.count;
      after = batch.last;
    }
    if (count === before) await delay(POLL_MS);
  }
  return count;
}

async function rewrapBatch(ctx: AppContext, after: number): Promise<{ count: number; last: number | null }> {
  const { active } = ctx.masterKeys;
  return ctx.db.transaction().execute(async (tx) => {
    const ids = await readIdsOfOthers(tx, active.id, { after, limit: BATCH_SIZE });
    if (ids.length === 0) return { count: 0, last: null };
    const found = await lockKeysOfOthers(tx, active.id, ids);
    const wrapped = found.map(async (row) => {
      const master = await ctx.masterKeys.find(row.master_key);
      if (!master) throw new OperatorError(`The master key ${row.master_key} is missing.`);
      return rewrap(master, active, row);
    });
    await replaceKeys(tx, await Promise.all(wrapped));
    return { count: found.length, last: ids.at(-1)! };
  });
}

/** Returns the retired keys that this command, or with `SEALING_KEYS` a living process, still holds. */
async function findRetired(ctx: AppContext): Promise<string[]> {
  const known = await rows.readMasterKeys(ctx.db);
  const retired = new Set(known.filter(({ state }) => state === "retired").map(({ key_id }) => key_id));
  const held = (await readEncryptionKeys(ctx.config)).map(({ id }) => id);
  if (ctx.config.encryptionKeys) {
    for (const { key_ids } of await rows.readLivingProcesses(ctx.db)) held.push(...key_ids);
  }
  return [...new Set(held)].filter((id) => retired.has(id));
}

/** Returns the operator's next step while a server holds retired keys. */
async function dropRetired(ctx: AppContext): Promise<string | null> {
  const retired = await findRetired(ctx);
  if (retired.length === 0) return null;
  if (ctx.config.encryptionKeys) {
    return `remove ${retired.join(", ")} from SEALING_KEYS of every server and of this command, delete all copies of it, and restart the servers, ${DESTROY_COPIES}`;
  }
  const kept = (await readEncryptionKeys(ctx.config)).filter(({ id }) => !retired.includes(id));
  await replaceEncryptionKeys(ctx.config, kept);
  await ctx.masterKeys.refresh();
  const late = await countWaiting(ctx, ({ key_ids }) => !key_ids.some((id) => retired.includes(id)));
  if (late === 0) return null;
  return `${copyFile(ctx)}, because ${late} servers still hold ${retired.join(", ")}, ${DESTROY_COPIES}`;
}

function copyFile({ config }: AppContext): string {
  return `copy ${placeOfEncryptionKeys(config)} to every other machine`;
}
