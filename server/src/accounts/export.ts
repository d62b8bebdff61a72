import { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { ZipFile } from "yazl";
import { utcDay } from "../platform/clock.ts";
import type { Tx } from "../platform/db/database.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import type { ExportPart } from "../platform/personal-data-exports.ts";
import { ApiError } from "../platform/errors.ts";
import * as rows from "./export.sql.ts";
import { findCurrentMember } from "./login/sessions.ts";

type Data = Required<ExportPart>;

/**
 * A zip of all that is kept about a member and of it, and the member's own pictures.
 *
 * It is made while it is read: of lists one page is in memory, of pictures one, and no transaction stands open. A reader
 * that leaves ends the work; so does the end of the session, which leaves a zip that does not open.
 */
export async function exportData(ctx: AppContext, me: CurrentMember): Promise<Readable> {
  const data = await ctx.exports.read(ctx.db, me);
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  // What breaks an entry is thrown where the entry is waited for.
  zip.on("error", () => undefined);
  void writeEntries(ctx, me, zip, data).then(
    () => zip.end(),
    (error: unknown) => {
      if (output.destroyed) return; // the reader has left
      if (!(error instanceof SessionEndedError))
        ctx.log.error({ err: error }, "an export could not be finished");
      output.destroy(error as Error);
    },
  );
  return output;
}

class SessionEndedError extends Error {
  override name = "SessionOver";
}

/** Puts one entry after the other into the zip, the next when the one before has been read. */
async function writeEntries(ctx: AppContext, me: CurrentMember, zip: ZipFile, data: Data): Promise<void> {
  const mtime = ctx.clock.now();
  for await (const { name, content, compress } of listEntries(data)) {
    const closeContent = () => content.destroy();
    zip.outputStream.once("close", closeContent);
    zip.addReadStream(content, name, { mtime, compress });
    await finished(content);
    zip.outputStream.off("close", closeContent);
    if (!(await findCurrentMember(ctx.db, me.session, ctx.clock.now()))) throw new SessionEndedError();
  }
}

async function* listEntries({ values, lists, pictures }: Data) {
  yield { name: "data.json", content: Readable.from(streamJson(values, lists)), compress: true };
  for (const { name, open } of pictures) {
    const picture = await open();
    if (picture) yield { name, content: Readable.from([picture]), compress: false };
  }
}

/** One JSON object, a value or an item of a list at a time. */
async function* streamJson(values: Data["values"], lists: Data["lists"]): AsyncGenerator<string> {
  let separator = "{";
  for (const [name, value] of Object.entries(values)) {
    yield `${separator}\n${JSON.stringify(name)}: ${JSON.stringify(value, null, 2)}`;
    separator = ",";
  }
  for (const [name, list] of Object.entries(lists)) {
    yield `${separator}\n${JSON.stringify(name)}: [`;
    separator = "";
    for await (const item of list) {
      yield `${separator}\n${JSON.stringify(item)}`;
      separator = ",";
    }
    yield "]";
    separator = ",";
  }
  yield "\n}\n";
}

/** What accounts keep of a member: since when, what it agreed to, by whom it was invited, where it is logged in. */
export async function exportAccount(tx: Tx, ctx: AppContext, me: CurrentMember): Promise<ExportPart> {
  const account = await rows.readAccount(tx, me.memberId);
  if (!account) throw new ApiError("login_required"); // deleted since the request came
  const inviter = account.invited_by;
  const sessions = await rows.readSessions(tx, me.memberId);
  return {
    values: {
      made_at: ctx.clock.now(),
      account: {
        signed_up_at: account.created_at,
        language: account.language,
        // Signing up asks for both agreements.
        agreed_to_terms_and_privacy_policy_at: account.created_at,
        agreed_to_sensitive_at: account.sensitive_agreed_at,
        invited_by: inviter && (await rows.readUserIds(tx, [inviter])).get(inviter),
        invited_members: await rows.countInvited(tx, me.memberId),
      },
      sessions: sessions.map(({ session_id, created_at, refreshed_at, ended_at }) => ({
        logged_in_on: utcDay(created_at),
        last_used_on: utcDay(refreshed_at),
        ended_on: ended_at && utcDay(ended_at),
        is_this_one: session_id === me.session,
      })),
    },
  };
}
