interface BlockEdgesTable {
  owner: number;
  other: number;
  /** `o`: the owner blocked the other; `i`: the other blocked the owner. */
  dir: "o" | "i";
  at: Date;
}

declare module "../platform/database.ts" {
  interface Tables {
    block_edges: BlockEdgesTable;
  }
}

export {};
