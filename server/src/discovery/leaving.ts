import type { Tx } from "../platform/database.ts";
import type { Deps } from "../platform/deps.ts";
import { deleteDeck } from "./deck.sql.ts";
import { unlist } from "./listing.ts";
import { deleteMatchesOf } from "./matches.sql.ts";
import { deleteDays } from "./quotas.sql.ts";
import { forgetLastPass } from "./undo.sql.ts";
import { deleteVerdictsOf } from "./verdicts.sql.ts";

declare module "../platform/jobs.ts" {
  interface JobPayloads {
    /** Removes what others had said about a member that is gone. */
    forget_verdicts: { no: number };
  }
}

/** Removes all that discovery keeps of a member that is being deleted. */
export async function forgetMember(tx: Tx, deps: Deps, no: number): Promise<void> {
  await unlist(tx, no);
  await deleteVerdictsOf(tx, no);
  await deleteMatchesOf(tx, no);
  await forgetLastPass(tx, no);
  await deleteDays(tx, no);
  await deleteDeck(tx, no);
  await deps.jobs.add(tx, "forget_verdicts", { no });
}
