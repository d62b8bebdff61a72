import type { NeverSeeKind } from "@alcove/contract/safety";

/**
 * `o`: the owner blocked the other; `i`: the other blocked the owner; `m`: the other's never-see list names the owner.
 * `u`: their match was ended, for `PASS_DAYS`. Each hides the other from the owner, `m` only while unmatched.
 */
export type Direction = "o" | "i" | "m" | "u";

interface BlockEdgesTable {
  owner: number;
  other: number;
  dir: Direction;
  at: Date;
  sequence_no: number;
}

interface NeverSeeTable {
  owner: number;
  entry_id: string;
  kind: NeverSeeKind;
  /** Keyed digest of the address or user id, used only here. */
  digest: Buffer;
  added_at: Date;
  /** The owner's note and the exact time. */
  encrypted_details: Buffer;
  sequence_no: number;
  others: number[];
}

interface NeverSeeIndexTable {
  digest: Buffer;
  owner: number;
}

export interface SafetyTables {
  block_edges: BlockEdgesTable;
  never_see: NeverSeeTable;
  never_see_index: NeverSeeIndexTable;
}
