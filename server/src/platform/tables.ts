import type { ColumnType } from "kysely";

interface RateLimitsTable {
  subject_digest: Buffer;
  /** The latest hits, oldest first. */
  hits: Date[];
  expires_at: Date;
}

/** A member's key has their number. */
interface DataKeysTable {
  key_id: number;
  master_key: string;
  wrapped_key: Buffer;
}

/** The keys themselves are outside of the database. */
interface MasterKeysTable {
  key_id: string;
  /** `new`: not used yet. `replaced`: unwraps, wraps nothing new. `retired`: wraps nothing, and never again. */
  state: "new" | "active" | "replaced" | "retired";
  /** A digest by the pepper, encrypted with the key. */
  check_value: Buffer;
  changed_on: string;
}

interface MemberJobsTable {
  member_no: number;
  job: string;
  day: string;
}

interface ServerProcessesTable {
  process_id: string;
  key_ids: string[];
  active_key: string;
  seen_at: Date;
}

/** One row. A restore keeps the id of its backup. */
interface DatabaseIdsTable {
  database_id: string;
}

interface CallOutcomesTable {
  key_digest: Buffer;
  encrypted_outcome: Buffer;
  expires_at: Date;
}

interface RestorationsTable {
  restoration_id: string;
  backup_at: Date;
  restored_at: Date;
  payments_resumed_at: ColumnType<Date | null, never, Date>;
}

export interface PlatformTables {
  call_outcomes: CallOutcomesTable;
  data_keys: DataKeysTable;
  database_ids: DatabaseIdsTable;
  master_keys: MasterKeysTable;
  member_jobs: MemberJobsTable;
  rate_limits: RateLimitsTable;
  restorations: RestorationsTable;
  server_processes: ServerProcessesTable;
}
