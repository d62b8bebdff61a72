import { utcDay } from "../../platform/clock.ts";
import type { AppContext } from "../../platform/context.ts";
import { findAreaMates, loadPeople } from "../../profiles/index.ts";
import { areMutual } from "./mutual-filter.ts";
import type { FoundMember } from "./search.sql.ts";
import type { Viewer } from "./viewer.ts";

/**
 * The exact age decides if the member or the viewer has a birthday this month, and hidden areas of either. Both are
 * encrypted.
 */
export class UncertainMembers {
  readonly #memberIds = new Set<number>();
  readonly #ctx: AppContext;
  readonly #viewer: Viewer;

  constructor(ctx: AppContext, viewer: Viewer) {
    this.#ctx = ctx;
    this.#viewer = viewer;
  }

  add(found: readonly FoundMember[]): void {
    for (const { memberId, isCertain } of found)
      if (!isCertain || this.#viewer.hasAreas) this.#memberIds.add(memberId);
  }

  count(memberIds: Iterable<number>): number {
    let count = 0;
    for (const memberId of memberIds) if (this.#memberIds.has(memberId)) count++;
    return count;
  }

  async findUnsuitable(memberIds: readonly number[]): Promise<ReadonlySet<number>> {
    const uncertain = memberIds.filter((memberId) => this.#memberIds.has(memberId));
    if (uncertain.length === 0) return new Set();
    const [people, mates] = await Promise.all([
      loadPeople(this.#ctx, uncertain),
      findAreaMates(this.#ctx, this.#viewer.memberId, uncertain),
    ]);
    const day = utcDay(this.#ctx.clock.now());
    for (const [memberId, person] of people)
      if (!mates.has(memberId) && areMutual(this.#ctx, this.#viewer, person, day))
        this.#memberIds.delete(memberId);
    return new Set(uncertain.filter((memberId) => this.#memberIds.has(memberId)));
  }
}
