interface RateLimitsTable {
  subject_digest: Buffer;
  /** When the latest of what counts were, oldest first; never more of them than the limit allows. */
  hits: Date[];
  forgotten_at: Date;
}

declare module "./database.ts" {
  interface Tables {
    rate_limits: RateLimitsTable;
  }
}

export {};
