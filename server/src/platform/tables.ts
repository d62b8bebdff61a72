import type { ColumnType } from "kysely";

interface RateLimitsTable {
  subject_digest: Buffer;
  /** Times of the latest hits, oldest first; at most as many as the limit allows. */
  hits: Date[];
  expires_at: Date;
}

/** A member's key has their number. See `keys/data-keys.ts`. */
interface DataKeysTable {
  key_id: number;
  /** The master key that wrapped it. */
  master_key: string;
  wrapped_key: Buffer;
}

/** The keys themselves are outside of the database. See `keys/master-keys.ts`. */
interface MasterKeysTable {
  key_id: string;
  /** `new`: not used yet. `replaced`: unwraps, wraps nothing new. `retired`: wraps nothing, and never again. */
  state: "new" | "active" | "replaced" | "retired";
  /** A digest by the pepper, encrypted with the key. */
  check_value: Buffer;
  changed_on: string;
}

/** See `jobs/member-jobs.ts`. */
interface MemberJobsTable {
  member_no: number;
  job: string;
  day: string;
}

interface ServerProcessesTable {
  process_id: string;
  /** The process holds these master keys. */
  key_ids: string[];
  /** The process wraps with this master key. */
  active_key: string;
  seen_at: Date;
}

/** One row. A restore keeps the id of its backup. */
interface DatabaseIdsTable {
  database_id: string;
}

interface RestorationsTable {
  restoration_id: string;
  backup_at: Date;
  restored_at: Date;
  payments_resumed_at: ColumnType<Date | null, never, Date>;
}

export interface PlatformTables {
  data_keys: DataKeysTable;
  database_ids: DatabaseIdsTable;
  master_keys: MasterKeysTable;
  member_jobs: MemberJobsTable;
  rate_limits: RateLimitsTable;
  restorations: RestorationsTable;
  server_processes: ServerProcessesTable;
}
