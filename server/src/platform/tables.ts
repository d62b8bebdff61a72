import type { ColumnType } from "kysely";

interface RateLimitsTable {
  subject_digest: Buffer;
  /** Times of the latest hits, oldest first; at most as many as the limit allows. */
  hits: Date[];
  expires_at: Date;
}

interface RestorationsTable {
  restoration_id: string;
  backup_at: Date;
  restored_at: Date;
  payments_resumed_at: ColumnType<Date | null, never, Date>;
}

export interface PlatformTables {
  rate_limits: RateLimitsTable;
  restorations: RestorationsTable;
}
