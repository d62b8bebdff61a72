import type { ColumnType } from "kysely";

interface RateLimitsTable {
  subject_digest: Buffer;
  /** Times of the latest hits, oldest first; at most as many as the limit allows. */
  hits: Date[];
  expires_at: Date;
}

/** Keys of members, conversations and others, see `security/data-keys.ts`. A member's key has their number. */
interface DataKeysTable {
  key_id: number;
  /** The master key that wrapped it. */
  master_key: string;
  wrapped_key: Buffer;
}

/** See `security/master-keys.ts`. The keys themselves are outside of the database. */
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
  /** The master keys that it holds. */
  key_ids: string[];
  /** The master key that it wraps with. */
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
