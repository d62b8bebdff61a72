export interface PlatformDomainEvents {
  /** The database was filled from a backup. Notifications that were due then are dropped. */
  database_restored: object;
}

export interface PlatformBusEvents {
  /** A session ended: its sockets close. */
  session_ended: { session: string };
  /** A member was deleted or suspended: all their sockets close. */
  member_ended: { memberId: number };
}

export interface PlatformJobs {
  sweep_limits: unknown;
}
