import { moveMember, saveLocation } from "../discovery/index.ts";
import type { Tx } from "../platform/db/database.ts";
import type { AppContext } from "../platform/context.ts";
import * as rows from "./demo.sql.ts";
import { belongsTo, homeOf, neighbourhoodsOf, type Spot } from "./neighbourhoods.ts";
import type { Player } from "./accounts.ts";

const VISITORS = 8;
/** So many have moved in when a visitor's position is answered; the others follow. */
const AT_ONCE = 30;

/** Lets the invented members live around whatever positions the visitors give. */
export class Settling {
  readonly #ctx: AppContext;
  readonly #players: ReadonlyMap<number, Player>;
  readonly #homes = new Map<number, string>();

  constructor(ctx: AppContext, players: ReadonlyMap<number, Player>) {
    this.#ctx = ctx;
    this.#players = players;
  }

  /**
   * The first few move in while a visitor's position is being saved, in the same transaction: the first look at the
   * candidates comes right after it.
   */
  async welcome(tx: Tx, visitor: Spot & { memberId: number }): Promise<void> {
    if (this.#players.has(visitor.memberId)) return;
    const places = await this.#places(tx);
    const nearby = this.#assigned(places).filter(({ place }) => belongsTo(place, visitor));
    // By rising number, so that two visitors at once never wait for each other.
    const first = nearby.slice(0, AT_ONCE).toSorted((a, b) => a.player.me.memberId - b.player.me.memberId);
    for (const { player, place } of first) {
      await moveMember(tx, this.#ctx, player.me, homeOf(player.role, place));
    }
  }

  /** Everybody who does not live where they should moves there, one after the other. */
  async settle(isOver: () => boolean): Promise<void> {
    for (const { player, place } of this.#assigned(await this.#places(this.#ctx.db))) {
      const { longitude, latitude } = homeOf(player.role, place);
      const home = `${longitude.toFixed(5)},${latitude.toFixed(5)}`;
      if (this.#homes.get(player.me.memberId) === home) continue;
      if (isOver()) return;
      await saveLocation(this.#ctx, player.me, home);
      this.#homes.set(player.me.memberId, home);
    }
  }

  async #places(db: AppContext["db"]): Promise<Spot[]> {
    const visitors = await rows.readVisitors(db, VISITORS);
    return neighbourhoodsOf(
      visitors.map(({ memberId, longitude, latitude }) => ({
        memberId,
        longitude: longitude!,
        latitude: latitude!,
      })),
    );
  }

  /** Round robin over the places. */
  #assigned(places: readonly Spot[]): { player: Player; place: Spot }[] {
    if (places.length === 0) return [];
    return [...this.#players.values()].map((player, i) => ({ player, place: places[i % places.length]! }));
  }
}
