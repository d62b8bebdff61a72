interface NotificationPreferencesTable {
  member_no: number;
  /** Push with a device, or digest emails. Without a channel nothing is written to the outbox. */
  has_channel: boolean;
  push: boolean;
  digest: boolean;
  quiet_hours: boolean;
  /** Minutes of the day. */
  quiet_from: number;
  quiet_to: number;
  time_zone: string | null;
  /** The number of events so far. */
  event_count: number;
  /** The value of `event_count` when the member last looked at the app. */
  seen_count: number;
  has_unseen_match: boolean;
  push_due_at: Date | null;
  /** The time of the last push, or null if the member has looked at the app since. */
  pushed_at: Date | null;
  digest_due_at: Date | null;
  digest_sent_at: Date | null;
}

interface NotificationOutboxTable {
  member_no: number;
  entry_id: string;
  kind: "message" | "match";
}

interface PushSubscriptionsTable {
  member_no: number;
  endpoint_digest: Buffer;
  session_id: string;
  /** Endpoint and keys. */
  encrypted_subscription: Buffer;
  language: string;
  created_at: Date;
  /** The value of `event_count` at the last push to this device. */
  notified_count: number;
  attempts: number;
  retry_at: Date | null;
}

interface PushEndpointsTable {
  endpoint_digest: Buffer;
  member_no: number;
}

export interface NotificationsTables {
  notification_preferences: NotificationPreferencesTable;
  notification_outbox: NotificationOutboxTable;
  push_subscriptions: PushSubscriptionsTable;
  push_endpoints: PushEndpointsTable;
}
