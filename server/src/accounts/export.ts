import { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { ZipFile } from "yazl";
import type { Language } from "@alcove/i18n";
import { utcDay } from "../platform/clock.ts";
import type { Tx } from "../platform/db/database.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import type { ExportPart } from "../platform/personal-data-exports.ts";
import { ApiError } from "../platform/errors.ts";
import { streamPage } from "./export-page.ts";
import * as rows from "./export.sql.ts";
import { readAgeCheck } from "./age-check/age-checks.sql.ts";
import { exportConsents } from "./consent/consents.ts";
import { countJoined } from "../members/invitations.ts";
import { findCurrentMember, lastUsedDay } from "./login/sessions.ts";
import { listPasskeys } from "./passkeys/passkeys.ts";
import { readUserIds } from "../members/user-ids.ts";

type Data = Required<ExportPart>;

interface Entry {
  readonly name: string;
  readonly content: Readable;
  readonly compress: boolean;
}

/**
 * Memory holds one page or file at a time, and no transaction stays open.
 *
 * The end of the session stops the stream, which leaves an invalid zip.
 */
export async function exportData(ctx: AppContext, me: CurrentMember, language: Language): Promise<Readable> {
  const data = await ctx.personalDataExports.read(ctx.db, me);
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  zip.on("error", () => undefined); // `finished` throws the errors of an entry
  void ctx.runningTasks.add(writeEntries(ctx, me, zip, listEntries(data, language))).then(
    () => zip.end(),
    (error: unknown) => {
      if (output.destroyed) return;
      if (!(error instanceof SessionEndedError)) ctx.log.error({ err: error }, "data export failed");
      output.destroy(error as Error);
    },
  );
  return output;
}

class SessionEndedError extends Error {
  override name = "SessionEndedError";
}

/** Adds an entry only after the client has read the previous one. */
async function writeEntries(
  ctx: AppContext,
  me: CurrentMember,
  zip: ZipFile,
  entries: AsyncIterable<Entry>,
): Promise<void> {
  const mtime = ctx.clock.now();
  for await (const { name, content, compress } of entries) {
    // A closed zip reads no further entry.
    if ((zip.outputStream as Readable).destroyed) throw new Error("the client disconnected");
    const closeContent = () => content.destroy();
    zip.outputStream.once("close", closeContent);
    zip.addReadStream(content, name, { mtime, compress });
    await finished(content);
    zip.outputStream.off("close", closeContent);
    if (!(await findCurrentMember(ctx, me))) throw new SessionEndedError();
  }
}

async function* listEntries(data: Data, language: Language): AsyncGenerator<Entry> {
  const { values, lists, files } = data;
  yield { name: "data.json", content: Readable.from(streamJson(values, lists)), compress: true };
  yield { name: "index.html", content: Readable.from(streamPage(language, data)), compress: true };
  for (const { name, open } of files) {
    const file = await open();
    if (file) yield { name, content: Readable.from([file]), compress: false };
  }
}

async function* streamJson(values: Data["values"], lists: Data["lists"]): AsyncGenerator<string> {
  let separator = "{";
  for (const [name, value] of Object.entries(values)) {
    yield `${separator}\n${JSON.stringify(name)}: ${JSON.stringify(value, null, 2)}`;
    separator = ",";
  }
  for (const [name, list] of Object.entries(lists)) {
    yield `${separator}\n${JSON.stringify(name)}: [`;
    separator = "";
    for await (const item of list()) {
      yield `${separator}\n${JSON.stringify(item)}`;
      separator = ",";
    }
    yield "]";
    separator = ",";
  }
  yield "\n}\n";
}

async function exportPasskeys(tx: Tx, ctx: AppContext, me: CurrentMember) {
  const { passkeys, second_factor, recovery_codes } = await listPasskeys(ctx, me, tx);
  return {
    list: passkeys.map(({ name, created_on, used_on }) => ({ name, created_on, used_on })),
    asked_beside_password: second_factor,
    unused_recovery_codes: recovery_codes,
  };
}

export async function exportAccount(tx: Tx, ctx: AppContext, me: CurrentMember): Promise<ExportPart> {
  const account = await rows.readAccount(tx, me.memberId);
  if (!account) throw new ApiError("login_required");
  const inviter = account.invited_by;
  const sessions = await rows.readSessions(tx, me.memberId);
  const lastCheck = await readAgeCheck(tx, me.memberId);
  return {
    values: {
      made_at: ctx.clock.now(),
      account: {
        signed_up_at: account.created_at,
        last_visit_on: account.visited_on,
        language: account.language,
        invited_by: inviter && (await readUserIds(tx, ctx.encryption, [inviter])).get(inviter),
        invited_members: await countJoined(tx, ctx.clock, me.memberId),
      },
      age_check: {
        approved_on: account.age_checked_on,
        last_picture: lastCheck ? { state: lastCheck.state, on: lastCheck.changed_on } : null,
      },
      passkeys: await exportPasskeys(tx, ctx, me),
      consents: await exportConsents(ctx, tx, me.memberId),
      sessions: sessions.map(({ session_id, created_at, refreshed_at, ended_at }) => ({
        logged_in_on: utcDay(created_at),
        last_used_on: lastUsedDay({ refreshed_at }),
        ended_on: ended_at && utcDay(ended_at),
        is_this_one: session_id === me.session,
      })),
    },
  };
}
