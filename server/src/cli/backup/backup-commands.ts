import { existsSync } from "node:fs";
import { join } from "node:path";
import { logOperatorAction } from "../../accounts/index.ts";
import { findPausedPayments, resumePayments } from "../../platform/db/restorations.sql.ts";
import type { Config } from "../../config.ts";
import { backUp, check } from "./create-backup.ts";
import type { Contents } from "./backup-format.ts";
import {
  type Facts,
  type Group,
  type Meanings,
  noWords,
  oneWord,
  OperatorProblem,
  UsageProblem,
} from "../command-line.ts";
import { restoreFrom } from "./restore-backup.ts";

const NOBODY = { userId: "-" };

const CONTENTS: Meanings = {
  members: "how many members are in it",
  rows: "how many rows of all tables",
  pictures: "how many pictures",
};

function describe({ rows, pictures }: Contents): Facts {
  const all = Object.values(rows).reduce((sum, count) => sum + count, 0);
  return { members: String(rows["members"] ?? 0), rows: String(all), pictures: String(pictures) };
}

/** Keys that a start would make anew are those of the backup, so that they have to be there before. */
function refuseNewKeys({ dataDir, passwordPepper, encryptionKeys }: Config): void {
  const isGiven = passwordPepper !== null && encryptionKeys !== null;
  if (isGiven || existsSync(join(dataDir, "secrets.json"))) return;
  throw new OperatorProblem(
    `${dataDir} has no secrets.json: put the one that belongs to the backup there first, or set PASSWORD_PEPPER and SEALING_KEYS.`,
  );
}

export const backup: Group = {
  "": {
    takes: "--to FILE_OR_FOLDER",
    says: "while the server runs; holds no keys: keep those elsewhere",
    options: { to: "a file that is not there yet, or a folder" },
    tells: {
      path: "the file that was written",
      ...CONTENTS,
      missing_pictures: "pictures that rows name and the store does not have",
    },
    read: (words, { to }) => {
      noWords(words, "backup takes --to FILE_OR_FOLDER, or check FILE.");
      if (!to) throw new UsageProblem("backup needs --to FILE_OR_FOLDER.");
      return async (ctx, reason, { databaseUrl }) => {
        await logOperatorAction(ctx, "backup", NOBODY, reason);
        const { path, missing, ...contents } = await backUp(ctx, databaseUrl, to);
        return { path, ...describe(contents), missing_pictures: String(missing) };
      };
    },
  },
  check: {
    takes: "FILE",
    says: "whether a backup is whole and fits the keys here",
    tells: { path: "the file", created_at: "the moment that it is of", ...CONTENTS },
    before: refuseNewKeys,
    read: (words) => {
      const path = oneWord(words, "backup check takes one FILE.");
      return async (ctx) => {
        const { createdAt, contents } = await check(ctx, path);
        return { path, created_at: createdAt, ...describe(contents) };
      };
    },
  },
};

export const restore: Group = {
  "": {
    takes: "--from FILE",
    says: "into an empty database, with the keys of the backup; all or nothing",
    options: { from: "a backup" },
    tells: {
      created_at: "the moment that the backup is of",
      ...CONTENTS,
      payments: "that they rest until `payments release`",
    },
    before: refuseNewKeys,
    read: (words, { from }) => {
      noWords(words, "restore takes --from FILE.");
      if (!from) throw new UsageProblem("restore needs --from FILE.");
      return async (ctx, reason, { databaseUrl }) => {
        const { createdAt, ...contents } = await restoreFrom(ctx, databaseUrl, from);
        await logOperatorAction(ctx, "restore", NOBODY, reason);
        return { created_at: createdAt, ...describe(contents), payments: "rest until released" };
      };
    },
  },
};

export const payments: Group = {
  show: {
    takes: "",
    says: "whether they rest since a restoration",
    tells: {
      payments: "`rest` or `go on`",
      backup_at: "the moment of the backup, where they rest",
      restored_at: "when it was restored, where they rest",
    },
    read: (words) => {
      noWords(words, "payments show takes nothing.");
      return async (ctx) => {
        const held = await findPausedPayments(ctx.db);
        return {
          payments: held ? "rest" : "go on",
          backup_at: held?.backup_at.toISOString() ?? null,
          restored_at: held?.restored_at.toISOString() ?? null,
        };
      };
    },
  },
  release: {
    takes: "",
    says: "after a restoration, once PayPal's list since the backup was compared; start the servers anew then",
    tells: { payments: "`go on`" },
    read: (words) => {
      noWords(words, "payments release takes nothing.");
      return async (ctx, reason) => {
        await logOperatorAction(ctx, "payments release", NOBODY, reason);
        if (!(await resumePayments(ctx))) throw new OperatorProblem("Payments do not rest.");
        return { payments: "go on" };
      };
    },
  },
};
