interface NotificationPreferencesTable {
  member_no: number;
  /** The member has a device for pushes, or digest emails. */
  has_channel: boolean;
  push: boolean;
  digest: boolean;
  quiet_hours: boolean;
  /** Minutes of the day. */
  quiet_from: number;
  quiet_to: number;
  event_count: number;
  /** `event_count` at the member's last look at the app. */
  seen_count: number;
  /** No unread message proves a match or notice. */
  has_unseen_match: boolean;
  has_unseen_notice: boolean;
  /** The end of the interval to the next push. Null after a look at the app. */
  push_due_at: Date | null;
  digest_due_at: Date | null;
  digest_sent_at: Date | null;
  /** The question after the first like was closed. */
  push_asked: boolean;
  /** See `somebody-new.ts`. Null while the member does not want to know. */
  look_state: "watching" | "nobody" | "found" | null;
  /** The next look, by the hour. Outlives the switch. */
  look_at: Date | null;
}

interface NotificationOutboxTable {
  member_no: number;
  entry_id: string;
  kind: "message" | "match" | "notice" | "device";
}

interface PushSubscriptionsTable {
  member_no: number;
  endpoint_digest: Buffer;
  session_id: string;
  encrypted_subscription: Buffer;
  language: string;
  created_at: Date;
  sequence_no: number;
  /** `event_count` at the last push. */
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
