import { existsSync } from "node:fs";
import { join } from "node:path";
import { logOperatorAction } from "../../../accounts/index.ts";
import { findPausedPayments, resumePayments } from "../../../platform/db/restorations.sql.ts";
import { KEYS_FILE, SECRETS_FILE } from "../../../platform/keys/secret-files.ts";
import type { AppContext } from "../../../platform/context.ts";
import { placeOfEncryptionKeys } from "../../../platform/keys/secrets.ts";
import type { Config } from "../../../config.ts";
import { createBackup, createKeyBackup, checkBackup } from "./create-backup.ts";
import type { Contents } from "./backup-format.ts";
import {
  type Fields,
  type Group,
  type Subcommand,
  type FieldDescriptions,
  noArguments,
  singleArgument,
  OperatorError,
  throwIfWaiting,
  UsageError,
} from "../command-line.ts";
import { askSecondOperator } from "../../requests.ts";
import { restoreFrom } from "./restore-backup.ts";
import { testRestore } from "./test-restore.ts";

const CONTENTS: FieldDescriptions = {
  members: "number of members",
  rows: "number of rows in all tables",
  pictures: "number of pictures",
};

function describe({ rows, pictures }: Contents): Fields {
  const all = Object.values(rows).reduce((sum, count) => sum + count, 0);
  return { members: String(rows["members"] ?? 0), rows: String(all), pictures: String(pictures) };
}

/** The start would generate new keys instead of the backup's. */
function requireKeys({ secretsDir, passwordPepper, encryptionKeys }: Config): void {
  const needed = [passwordPepper === null && SECRETS_FILE, encryptionKeys === null && KEYS_FILE];
  const missing = needed.filter((name) => name !== false && !existsSync(join(secretsDir, name)));
  if (missing.length === 0) return;
  throw new OperatorError(
    `${secretsDir} has no ${missing.join(" and no ")}: put those of the backup there first, or set PASSWORD_PEPPER and SEALING_KEYS.`,
  );
}

/** The first backup decides whether a loss can be repaired. */
function otherParts({ config, deletionList }: AppContext): string {
  const place = placeOfEncryptionKeys(config).replace(/^[A-Z_]+: /, "");
  return `NOT in this file. Without the keys all data is lost. Now run \`keys backup --to FILE_OR_FOLDER\`; copy ${place} and the other secrets to another place, and the list of deletions (${deletionList.place})`;
}

export const keyBackup: Subcommand = {
  usage: "--to FILE_OR_FOLDER",
  summary: "backs up the data keys as the master keys encrypted them; run it after backup, and often",
  options: { to: "a new file or an existing folder" },
  fields: {
    path: "the backup file",
    keys: "number of keys",
    master_keys: "the master keys that it needs, which are not in it",
  },
  parse: (words, { to }) => {
    noArguments(words, "keys backup takes --to FILE_OR_FOLDER.");
    if (!to) throw new UsageError("keys backup needs --to FILE_OR_FOLDER.");
    return async (ctx, reason, { databaseUrl }) => {
      await logOperatorAction(ctx, "keys backup", null, reason);
      const guarded = { action: `keys backup ${to}`, member: null };
      throwIfWaiting(await askSecondOperator(ctx, { operatorId: null, reason }, guarded));
      const { path, rows } = await createKeyBackup(ctx, databaseUrl, to);
      const place = placeOfEncryptionKeys(ctx.config).replace(/^[A-Z_]+: /, "");
      const note = `useless without the master keys in ${place}: keep a copy of them in another place`;
      return { path, keys: String(rows["data_keys"]), master_keys: note };
    };
  },
};

export const backup: Group = {
  "": {
    usage: "--to FILE_OR_FOLDER",
    summary: "backs up the data while the server runs, without the keys: see keys backup",
    options: { to: "a new file or an existing folder" },
    fields: {
      path: "the backup file",
      ...CONTENTS,
      missing_pictures: "pictures that are missing in the media store",
      keys: "the other parts of a backup",
    },
    parse: (words, { to }) => {
      noArguments(words, "backup takes --to FILE_OR_FOLDER, or check FILE.");
      if (!to) throw new UsageError("backup needs --to FILE_OR_FOLDER.");
      return async (ctx, reason, { databaseUrl }) => {
        await logOperatorAction(ctx, "backup", null, reason);
        const { path, missing, ...contents } = await createBackup(ctx, databaseUrl, to);
        const facts = { path, ...describe(contents), missing_pictures: String(missing) };
        return { ...facts, keys: otherParts(ctx) };
      };
    },
  },
  check: {
    usage: "FILE",
    summary: "verifies a backup and its keys",
    fields: { path: "the file", created_at: "time of the backup", ...CONTENTS },
    validate: requireKeys,
    parse: (words) => {
      const path = singleArgument(words, "backup check takes one FILE.");
      return async (ctx) => {
        const { createdAt, contents } = await checkBackup(ctx, path);
        return { path, created_at: createdAt, ...describe(contents) };
      };
    },
  },
};

const PARTS = { from: "a backup of the data", keys: "the newest backup of the keys" };

export const restore: Group = {
  "": {
    usage: "--from DATA --keys KEYS [--deletions FILE_OR_FOLDER]",
    summary: "restores into an empty database with the backup's keys, completely or not at all",
    options: {
      ...PARTS,
      deletions: "a copy of the list of deletions; default: this server's list",
    },
    fields: {
      created_at: "time of the backup",
      ...CONTENTS,
      payments: "paused until `payments release`",
    },
    validate: requireKeys,
    parse: (words, { from, keys, deletions = null }) => {
      noArguments(words, "restore takes --from DATA --keys KEYS.");
      if (!from || !keys) throw new UsageError("restore needs --from DATA and --keys KEYS.");
      return async (ctx, reason, { databaseUrl }) => {
        const restored = await restoreFrom(ctx, databaseUrl, { from, keys, deletions });
        const { createdAt, members, ...contents } = restored;
        await logOperatorAction(ctx, "restore", null, reason);
        const facts = { ...describe(contents), members: String(members) };
        return { created_at: createdAt, ...facts, payments: "paused until released" };
      };
    },
  },
  test: {
    usage: "--from DATA --keys KEYS --deletions FILE_OR_FOLDER",
    summary: "restores into a temporary database, decrypts every profile, and removes it",
    options: { ...PARTS, deletions: "a copy of the list of deletions" },
    fields: { created_at: "time of the backup", ...CONTENTS },
    validate: requireKeys,
    parse: (words, { from, keys, deletions }) => {
      noArguments(words, "restore test takes --from DATA --keys KEYS --deletions FILE_OR_FOLDER.");
      if (!from || !keys || !deletions)
        throw new UsageError("restore test needs --from DATA, --keys KEYS and --deletions FILE_OR_FOLDER.");
      return async (ctx) => {
        const { createdAt, members, ...contents } = await testRestore(ctx, { from, keys, deletions });
        return { created_at: createdAt, ...describe(contents), members: String(members) };
      };
    },
  },
};

export const payments: Group = {
  show: {
    usage: "",
    summary: "whether payments are paused after a restore",
    fields: {
      payments: "`paused` or `running`",
      backup_at: "time of the backup, if paused",
      restored_at: "time of the restore, if paused",
    },
    parse: (words) => {
      noArguments(words, "payments show takes no arguments.");
      return async (ctx) => {
        const held = await findPausedPayments(ctx.db);
        return {
          payments: held ? "paused" : "running",
          backup_at: held?.backup_at.toISOString() ?? null,
          restored_at: held?.restored_at.toISOString() ?? null,
        };
      };
    },
  },
  release: {
    usage: "",
    summary:
      "resumes payments after a restore, once PayPal's transactions were compared; restart the servers afterwards",
    fields: { payments: "`running`" },
    parse: (words) => {
      noArguments(words, "payments release takes no arguments.");
      return async (ctx, reason) => {
        await logOperatorAction(ctx, "payments release", null, reason);
        if (!(await resumePayments(ctx))) throw new OperatorError("Payments are not paused.");
        return { payments: "running" };
      };
    },
  },
};
