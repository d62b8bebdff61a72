interface NoticesTable {
  member_no: number;
  /** Whether there is any way to tell this member: nothing is written down for the others. */
  listens: boolean;
  push: boolean;
  digest: boolean;
  quiet_hours: boolean;
  /** Minutes of the day. */
  quiet_from: number;
  quiet_to: number;
  time_zone: string | null;
  /** How much there was to tell so far, and how much of it the member has seen. */
  heard: number;
  seen: number;
  /** Whether a match is among what the member has not seen. */
  with_match: boolean;
  push_due_at: Date | null;
  /** When its devices were told last, if it has seen nothing since. */
  pushed_at: Date | null;
  letter_due_at: Date | null;
  lettered_at: Date | null;
}

interface NewsTable {
  member_no: number;
  news_id: string;
  kind: "message" | "match";
}

interface PushSubscriptionsTable {
  member_no: number;
  endpoint_digest: Buffer;
  session_id: string;
  /** Endpoint and keys. */
  encrypted: Buffer;
  language: string;
  created_at: Date;
  /** Up to where this device was told. */
  told: number;
  tries: number;
  retry_at: Date | null;
}

interface PushEndpointsTable {
  endpoint_digest: Buffer;
  member_no: number;
}

export interface NotificationsTables {
  notices: NoticesTable;
  news: NewsTable;
  push_subscriptions: PushSubscriptionsTable;
  push_endpoints: PushEndpointsTable;
}
