import type { Deps } from "../platform/context.ts";
import * as members from "./members.sql.ts";
import { endSessionsOf } from "./sessions.sql.ts";

declare module "../platform/domain-events.ts" {
  interface Consequences {
    /** A member is being suspended: nobody may find it. */
    member_suspended: { no: number };
    /** A suspended member is being let in again. */
    member_restored: { no: number };
  }
}

/** Keeps a member out and away from everybody's eyes; its sessions and sockets end at once. */
export async function suspendMember(deps: Deps, no: number): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    await members.setStanding(tx, no, "suspended");
    await endSessionsOf(tx, no, deps.clock.now());
    await deps.consequences.follow(tx, "member_suspended", { no });
  });
  deps.live.tell("member_ended", { no });
}

/** Lets a suspended member in again. */
export async function restoreMember(deps: Deps, no: number): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    await members.setStanding(tx, no, "active");
    await deps.consequences.follow(tx, "member_restored", { no });
  });
}
