import type { ColumnType } from "kysely";

interface RateLimitsTable {
  subject_digest: Buffer;
  /** When the latest of what counts were, oldest first; never more of them than the limit allows. */
  hits: Date[];
  forgotten_at: Date;
}

interface RestorationsTable {
  restoration_id: string;
  /** Of which moment the backup was. */
  backup_at: Date;
  restored_at: Date;
  /** Null while payments rest. */
  payments_released_at: ColumnType<Date | null, never, Date>;
}

export interface PlatformTables {
  rate_limits: RateLimitsTable;
  restorations: RestorationsTable;
}
