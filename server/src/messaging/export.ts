import { readUserIds } from "../accounts/index.ts";
import { exportedName } from "../media/index.ts";
import type { Tx } from "../platform/db/database.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import type { ExportPart } from "../platform/personal-data-exports.ts";
import { inboxOf, type InboxRow } from "./conversations.sql.ts";
import { messagesOfSender } from "./messages.sql.ts";
import { pairOf } from "./pair.ts";
import { openMessage } from "./present.ts";
import { readShowing } from "./read-receipt-setting.ts";

const PAGE = 200;
const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";

/** What a member has written and sent, and whether it shows what it has read. What it received is the others' and no part (docs/decisions/0067). */
export async function exportMessages(tx: Tx, ctx: AppContext, me: CurrentMember): Promise<ExportPart> {
  const inbox = await inboxOf(tx, me.memberId);
  const userIds = await readUserIds(
    tx,
    inbox.map(({ other_no }) => other_no),
  );
  return {
    values: await readShowing(tx, me.memberId),
    lists: { messages_sent: messagesOf(ctx, me, inbox, userIds) },
  };
}

/** Up to the last message that each conversation had: ids grow in the order of the commits. */
async function* messagesOf(
  ctx: AppContext,
  me: CurrentMember,
  inbox: readonly InboxRow[],
  userIds: ReadonlyMap<number, string>,
): AsyncGenerator {
  for (const { other_no, last_message_id } of inbox) {
    if (last_message_id === null) continue;
    const pair = pairOf(me.memberId, other_no);
    for (let after = BEFORE_ALL; ;) {
      const page = await messagesOfSender(
        ctx.db,
        pair.key,
        me.memberId,
        { after, until: last_message_id },
        PAGE,
      );
      for (const row of page) {
        const { id, text, mediaId, createdAt } = openMessage(ctx, pair, row);
        const picture = mediaId && exportedName(mediaId);
        yield { id, to: userIds.get(other_no), at: createdAt, text, picture };
      }
      if (page.length < PAGE) break;
      after = page.at(-1)!.message_id;
    }
  }
}
