import { utcDay } from "../../platform/clock.ts";
import type { AppContext } from "../../platform/context.ts";
import { findAreaMates, loadPeople } from "../../profiles/index.ts";
import { areMutual } from "./mutual-filter.ts";
import type { FoundMember } from "./search.sql.ts";
import type { Viewer } from "./viewer.ts";

/** Whom one search loads at most: a viewer with areas in a crowded place may find thousands. */
export const MAX_CHECKED = 1_000;

/**
 * The exact age decides if the member or the viewer has a birthday this month, and hidden areas of either. Both are
 * encrypted.
 */
export class UncertainMembers {
  readonly #memberIds = new Set<number>();
  #checked = 0;
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

  /** Further members count as unsuitable. */
  get isSpent(): boolean {
    return this.#checked >= MAX_CHECKED;
  }

  async findUnsuitable(memberIds: readonly number[]): Promise<ReadonlySet<number>> {
    const uncertain = memberIds.filter((memberId) => this.#memberIds.has(memberId));
    const checked = uncertain.slice(0, MAX_CHECKED - this.#checked);
    this.#checked += checked.length;
    if (checked.length === 0) return new Set(uncertain);
    const [people, mates] = await Promise.all([
      loadPeople(this.#ctx, checked),
      findAreaMates(this.#ctx, this.#viewer.memberId, checked),
    ]);
    const day = utcDay(this.#ctx.clock.now());
    for (const [memberId, person] of people)
      if (!mates.has(memberId) && areMutual(this.#ctx, this.#viewer, person, day))
        this.#memberIds.delete(memberId);
    return new Set(uncertain.filter((memberId) => this.#memberIds.has(memberId)));
  }
}
