import type { AppContext, MemberRef } from "../platform/context.ts";
import type { Tx } from "../platform/db/database.ts";
import type { ExportPart } from "../platform/personal-data-exports.ts";
import { readAllChanges } from "./addresses.ts";
import { readRequests } from "./requests.sql.ts";

/** Without the proofs of a request, which somebody else may have written. */
export async function exportMailboxes(tx: Tx, ctx: AppContext, { memberId }: MemberRef): Promise<ExportPart> {
  const changes = await readAllChanges(ctx, memberId, tx);
  const requests = await readRequests(tx, memberId);
  return {
    values: {
      email_changes: changes.map(({ changed_on: on, is_stopped, before, after }) => ({
        on,
        is_stopped,
        before,
        after,
      })),
      new_email_requests: requests.map(({ asked_on: on, state, told }) => ({ on, state, told })),
    },
  };
}
