import type { NeverSeeKind } from "@alcove/contract/safety";

/**
 * `o`: the owner blocked the other; `i`: the other blocked the owner; `n`: the owner named the other as somebody who
 * must never see it; `m`: the other named the owner so. Any of them hides the other from the owner.
 */
export type Direction = "o" | "i" | "n" | "m";

interface BlockEdgesTable {
  owner: number;
  other: number;
  dir: Direction;
  at: Date;
}

interface NeverSeeTable {
  owner: number;
  entry_id: string;
  kind: NeverSeeKind;
  /** Of the address or user id, keyed and for this use alone. */
  digest: Buffer;
  added_at: Date;
  /** The member that it names; null while it names none. */
  other: number | null;
  /** When the rest of what the entry does, or what its removal does, follows; null when nothing is left to do. */
  due_at: Date | null;
  removed_at: Date | null;
}

/** The same by what is named, for whoever joins later. */
interface NeverSeeIndexTable {
  digest: Buffer;
  owner: number;
}

export interface SafetyTables {
  block_edges: BlockEdgesTable;
  never_see: NeverSeeTable;
  never_see_index: NeverSeeIndexTable;
}
