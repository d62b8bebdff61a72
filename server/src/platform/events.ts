export interface PlatformDomainEvents {
  /**
   * A restore fills the database. Handlers delete rows whose data keys are missing, and drop due notifications. The
   * files `mediaIds` are left out because their keys are missing.
   */
  database_restored: { mediaIds: readonly string[] };
}

export interface PlatformBusEvents {
  session_ended: { session: string; memberId: number };
  member_ended: { memberId: number };
}

export interface PlatformJobs {
  list_deletions: { keyIds: readonly number[]; day: string };
  add_lost_member_jobs: unknown;
  sweep_daily_keys: unknown;
  sweep_failed_jobs: unknown;
  sweep_limits: unknown;
  sweep_outbox: unknown;
}
