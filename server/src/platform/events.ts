export interface PlatformDomainEvents {
  /** The database was filled from a backup. Notifications that were due then are dropped. */
  database_restored: object;
}

export interface PlatformBusEvents {
  session_ended: { session: string };
  member_ended: { memberId: number };
}

export interface PlatformJobs {
  sweep_limits: unknown;
}
