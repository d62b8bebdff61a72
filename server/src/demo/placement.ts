import { centreOf, countEveryMove, moveMember, saveLocation } from "../discovery/index.ts";
import type { Tx } from "../platform/db/database.ts";
import type { AppContext } from "../platform/context.ts";
import * as rows from "./demo.sql.ts";
import {
  belongsTo,
  homeOf,
  neighbourhoodsOf,
  speakersFirst,
  type Neighbourhood,
  type Position,
} from "./neighbourhoods.ts";
import type { SampleAccount } from "./accounts.ts";

const MAX_VISITORS = 8;
/** This many move within the visitor's transaction, the others later. */
const IMMEDIATE_MOVES = 30;

export class Placement {
  readonly #ctx: AppContext;
  readonly #accounts: ReadonlyMap<number, SampleAccount>;
  readonly #homes = new Map<number, string>();

  constructor(ctx: AppContext, accounts: ReadonlyMap<number, SampleAccount>) {
    this.#ctx = ctx;
    this.#accounts = accounts;
  }

  /** Runs in the transaction that saves a visitor's position, because the visitor fetches candidates right after it. */
  async placeAround(tx: Tx, visitor: Position & { memberId: number }): Promise<void> {
    if (this.#accounts.has(visitor.memberId)) return;
    const nearby = (await this.#assign(tx)).filter(({ neighbourhood }) => belongsTo(neighbourhood, visitor));
    // Locks by rising number, so that two visitors' transactions cannot deadlock.
    const first = speakersFirst(nearby, ({ account, neighbourhood }) => ({
      spoken: account.profile.language,
      local: neighbourhood.language,
    }))
      .slice(0, IMMEDIATE_MOVES)
      .toSorted((a, b) => a.account.me.memberId - b.account.me.memberId);
    for (const { account, neighbourhood } of first) {
      await moveMember(tx, this.#ctx, account.me, homeOf(account.profile, neighbourhood), countEveryMove);
    }
  }

  async placeAll(isStopped: () => boolean): Promise<void> {
    for (const { account, neighbourhood } of await this.#assign(this.#ctx.db)) {
      const { longitude, latitude } = homeOf(account.profile, neighbourhood);
      const home = `${longitude.toFixed(5)},${latitude.toFixed(5)}`;
      if (this.#homes.get(account.me.memberId) === home) continue;
      if (isStopped()) return;
      await saveLocation(this.#ctx, account.me, home, countEveryMove);
      this.#homes.set(account.me.memberId, home);
    }
  }

  async #neighbourhoods(db: AppContext["db"]): Promise<Neighbourhood[]> {
    const visitors = await rows.readVisitors(db, MAX_VISITORS);
    return neighbourhoodsOf(
      visitors.map(({ memberId, cell, language }) => Object.assign(centreOf(cell!), { memberId, language })),
    );
  }

  async #assign(db: AppContext["db"]): Promise<{ account: SampleAccount; neighbourhood: Neighbourhood }[]> {
    const neighbourhoods = await this.#neighbourhoods(db);
    if (neighbourhoods.length === 0) return [];
    const matched = new Set(await rows.readMatched(db, [...this.#accounts.keys()]));
    return [...this.#accounts.values()]
      .map((account, i) => ({ account, neighbourhood: neighbourhoods[i % neighbourhoods.length]! }))
      .filter(({ account }) => !matched.has(account.me.memberId));
  }
}
