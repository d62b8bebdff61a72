import { existsSync } from "node:fs";
import { join } from "node:path";
import { logOperatorAction } from "../../accounts/index.ts";
import { findPausedPayments, resumePayments } from "../../platform/db/restorations.sql.ts";
import type { Config } from "../../config.ts";
import { createBackup, checkBackup } from "./create-backup.ts";
import type { Contents } from "./backup-format.ts";
import {
  type Fields,
  type Group,
  type FieldDescriptions,
  noArguments,
  singleArgument,
  OperatorError,
  UsageError,
} from "../command-line.ts";
import { NO_MEMBER } from "../commands/paypal.ts";
import { restoreFrom } from "./restore-backup.ts";

const CONTENTS: FieldDescriptions = {
  members: "number of members",
  rows: "number of rows in all tables",
  pictures: "number of pictures",
};

function describe({ rows, pictures }: Contents): Fields {
  const all = Object.values(rows).reduce((sum, count) => sum + count, 0);
  return { members: String(rows["members"] ?? 0), rows: String(all), pictures: String(pictures) };
}

/** Requires the backup's keys, because the start would generate new ones. */
function requireKeys({ dataDir, passwordPepper, encryptionKeys }: Config): void {
  const isGiven = passwordPepper !== null && encryptionKeys !== null;
  if (isGiven || existsSync(join(dataDir, "secrets.json"))) return;
  throw new OperatorError(
    `${dataDir} has no secrets.json: put the one that belongs to the backup there first, or set PASSWORD_PEPPER and SEALING_KEYS.`,
  );
}

export const backup: Group = {
  "": {
    usage: "--to FILE_OR_FOLDER",
    summary: "works while the server runs; contains no keys, back those up separately",
    options: { to: "a new file or an existing folder" },
    fields: {
      path: "the backup file",
      ...CONTENTS,
      missing_pictures: "pictures that are missing in the media store",
    },
    parse: (words, { to }) => {
      noArguments(words, "backup takes --to FILE_OR_FOLDER, or check FILE.");
      if (!to) throw new UsageError("backup needs --to FILE_OR_FOLDER.");
      return async (ctx, reason, { databaseUrl }) => {
        await logOperatorAction(ctx, "backup", NO_MEMBER, reason);
        const { path, missing, ...contents } = await createBackup(ctx, databaseUrl, to);
        return { path, ...describe(contents), missing_pictures: String(missing) };
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

export const restore: Group = {
  "": {
    usage: "--from FILE",
    summary: "restores into an empty database with the backup's keys, completely or not at all",
    options: { from: "a backup file" },
    fields: {
      created_at: "time of the backup",
      ...CONTENTS,
      payments: "paused until `payments release`",
    },
    validate: requireKeys,
    parse: (words, { from }) => {
      noArguments(words, "restore takes --from FILE.");
      if (!from) throw new UsageError("restore needs --from FILE.");
      return async (ctx, reason, { databaseUrl }) => {
        const { createdAt, ...contents } = await restoreFrom(ctx, databaseUrl, from);
        await logOperatorAction(ctx, "restore", NO_MEMBER, reason);
        return { created_at: createdAt, ...describe(contents), payments: "paused until released" };
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
        await logOperatorAction(ctx, "payments release", NO_MEMBER, reason);
        if (!(await resumePayments(ctx))) throw new OperatorError("Payments are not paused.");
        return { payments: "running" };
      };
    },
  },
};
