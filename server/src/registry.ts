import type { Language } from "@alcove/i18n";
import type { AnnouncementJob } from "./announcements/events.ts";
import type { AnnouncementsTables } from "./announcements/tables.ts";
import type {
  AgeCheckEmailJob,
  CodeEmailJob,
  FixedEmailJob,
  NewDeviceEmailJob,
  NewTermsEmailJob,
  PasswordChangedEmailJob,
  UnusedEmailJob,
} from "./accounts/events.ts";
import type { AccountsTables } from "./accounts/tables.ts";
import type { CaseEmailJob, WarningJob } from "./cases/events.ts";
import type { CasesTables } from "./cases/tables.ts";
import type { ConsoleTables } from "./operator/tables.ts";
import type { DiscoveryTables } from "./discovery/tables.ts";
import type { NewEmailJob } from "./mailboxes/events.ts";
import type { MailboxesTables } from "./mailboxes/tables.ts";
import type { MediaTables } from "./media/tables.ts";
import type { DayCounters, MembersTables } from "./members/tables.ts";
import type {
  ArchivedOrderSettling,
  ExpiryReminderJob,
  OrderArchived,
  OrderPaid,
  OrderRefunded,
  PayPalEvent,
  ReceiptJob,
} from "./membership/events.ts";
import type { MembershipTables } from "./membership/tables.ts";
import type { MessageImages, MessageSent } from "./messaging/events.ts";
import type { MessagingTables } from "./messaging/tables.ts";
import type { ModerationTables } from "./moderation/tables.ts";
import type { DigestJob } from "./notifications/events.ts";
import type { NotificationsTables } from "./notifications/tables.ts";
import type { PlatformTables } from "./platform/tables.ts";
import type { ProfilesTables } from "./profiles/tables.ts";
import type { TransferEmailJob } from "./referral/events.ts";
import type { ReferralTables } from "./referral/tables.ts";
import type { SafetyTables } from "./safety/tables.ts";
import type { NoticeEmailJob } from "./notices/events.ts";
import type { NoticesTables } from "./notices/tables.ts";
import type { TransparencyTables } from "./transparency/tables.ts";
import type { ContactEmailJob, HelpEmailJob } from "./support/events.ts";
import type { SupportTables } from "./support/tables.ts";
import type { StatisticsTables } from "./statistics/tables.ts";

/** Only the feature that lists a table writes it. */
export interface Tables
  extends
    AccountsTables,
    AnnouncementsTables,
    CasesTables,
    ConsoleTables,
    DiscoveryTables,
    MailboxesTables,
    MediaTables,
    MembersTables,
    MembershipTables,
    MessagingTables,
    ModerationTables,
    NoticesTables,
    NotificationsTables,
    PlatformTables,
    ProfilesTables,
    ReferralTables,
    SafetyTables,
    SupportTables,
    TransparencyTables,
    StatisticsTables {}

function payload<Payload>(): Payload {
  return undefined as Payload;
}

type Member = { memberId: number };
type MemberPair = { memberId: number; otherMemberId: number };

/** Handlers run inside the transaction of the feature that emits the event. */
export const domainEvents = {
  member_joined: payload<
    Member & { userId: string; email: string | null; network: string | null; former: readonly DayCounters[] }
  >(),
  /** The member is locked. */
  email_changed: payload<Member>(),
  /** Somebody else may have the account now. The member is locked. */
  account_handed_over: payload<Member & { userId: string }>(),
  member_suspended: payload<Member>(),
  member_restored: payload<Member>(),
  /** The `members` row still exists and is locked. Runs again if the transaction does. Handlers fill `counters`. */
  member_deleted: payload<Member & { userId: string; email: string | null; counters: DayCounters }>(),
  /** The likes of a new member of a crowded network are delivered. The member is locked. */
  wait_ended: payload<Member>(),
  person_corrected: payload<Member>(),
  news_added: payload<Member & { kind: "notice" | "device" }>(),
  member_moved: payload<Member & { longitude: number; latitude: number }>(),
  filter_saved: payload<Member>(),
  visibility_saved: payload<Member>(),
  language_chosen: payload<Member & { language: string }>(),
  /** The first request of a day in UTC; `before`: the last such day. */
  member_visited: payload<Member & { before: string }>(),
  /** Also emitted at the sign-up. */
  pictures_added: payload<Member & { mediaIds: readonly string[] }>(),
  clear_icon_changed: payload<Member>(),
  /** A like or pass, also of a member met elsewhere. */
  card_decided: payload<Member & { verdict: "like" | "pass" }>(),
  /** Both members are locked. */
  match_made: payload<{ a: number; b: number }>(),
  conversation_begun: payload<Member>(),
  /** Both members are locked. */
  pair_blocked: payload<{ by: Member; other: Member }>(),
  /** As `pair_blocked`, for `PASS_DAYS`. */
  pair_unmatched: payload<{ by: Member; other: Member; goodbye: number | null }>(),
  /** The two may meet again after `PASS_DAYS`. */
  pair_unblocked: payload<{ by: Member; other: Member }>(),
  order_paid: payload<OrderPaid>(),
  archived_order_settling: payload<ArchivedOrderSettling>(),
  order_refunded: payload<OrderRefunded>(),
  order_archived: payload<OrderArchived>(),
  /** Negative for a reversal. */
  fee_recorded: payload<Member & { usdCents: number }>(),
  paypal_event: payload<PayPalEvent>(),
  /** Handlers delete rows without data keys, and due notifications. The keys of the files `mediaIds` are missing. */
  database_restored: payload<{ mediaIds: readonly string[] }>(),
};

/** Events are published after a commit. They may be lost or repeated. */
export const busEvents = {
  session_ended: payload<Member & { session: string }>(),
  member_ended: payload<Member>(),
  device_added: payload<Member & { session: string }>(),
  /** The language if it changed. */
  account_changed: payload<Member & { language: Language | null }>(),
  matched: payload<{ a: number; b: number }>(),
  /** `otherUserId` is encrypted. */
  match_ended: payload<MemberPair & { otherUserId: string }>(),
  match_seen: payload<MemberPair>(),
  message_sent: payload<MessageSent>(),
  message_unsent: payload<MemberPair & { id: string }>(),
  /** `memberId` reacted to the message, or took that back. */
  reaction_changed: payload<MemberPair & { id: string }>(),
  messages_read: payload<MemberPair & { id: string; isShown: boolean }>(),
  read_receipts_changed: payload<Member>(),
  pictures_changed: payload<MemberPair>(),
  typing: payload<MemberPair>(),
  notice_added: payload<Member & { id: string }>(),
  help_answered: payload<Member>(),
};

/** A payload contains only ids and encrypted values. */
export const jobs = {
  sign_up_email: payload<CodeEmailJob>(),
  reset_password_email: payload<CodeEmailJob>(),
  change_email_email: payload<CodeEmailJob>(),
  new_email_request: payload<NewEmailJob>(),
  fixed_email: payload<FixedEmailJob>(),
  password_changed_email: payload<PasswordChangedEmailJob>(),
  new_device_email: payload<NewDeviceEmailJob>(),
  new_terms_email: payload<NewTermsEmailJob>(),
  unused_email: payload<UnusedEmailJob>(),
  age_check_email: payload<AgeCheckEmailJob>(),
  case_email: payload<CaseEmailJob>(),
  warn_contacts: payload<WarningJob>(),
  contact_email: payload<ContactEmailJob>(),
  announcement_email: payload<AnnouncementJob>(),
  help_email: payload<HelpEmailJob>(),
  notice_email: payload<NoticeEmailJob>(),
  search_notice: payload<{ caseNo: number }>(),
  digest_email: payload<DigestJob>(),
  receipt_email: payload<ReceiptJob>(),
  bank_order_notice: payload<ReceiptJob>(),
  expiry_reminder_email: payload<ExpiryReminderJob>(),
  transfer_email: payload<TransferEmailJob>(),
  poll_transfer: payload<{ transfer: string }>(),
  clear_inviter: payload<Member>(),
  /** Completes the match if the process of the like has died. */
  check_match: payload<{ one: number; other: number }>(),
  count_order_inputs: payload<{ memberIds: readonly number[] }>(),
  count_verdict: payload<{ actor: number; target: number; liked: boolean }>(),
  delete_verdicts_about: payload<Member>(),
  delete_message_images: payload<{ images: MessageImages }>(),
  delete_media_files: payload<{ mediaIds: string[] }>(),
  compare_suspended: payload<Member>(),
  open_returned: payload<Member & { similarTo: number }>(),
  consider_freeze: payload<Member>(),
  compare_pictures: payload<Member & { mediaIds: readonly string[] }>(),
  /** `encrypted` holds the entries. */
  resolve_never_see: payload<{ owner: number; encrypted: string }>(),
  /** An entry and the sign-up may have happened at the same time. */
  apply_never_see: payload<Member>(),
  list_deletions: payload<{ keyIds: readonly number[]; day: string }>(),
};

/** Jobs that run by time, as crontab patterns in UTC. */
export const scheduledJobs = {
  count_cells: "* * * * *",
  send_notifications: "* * * * *",
  answer_notices: "* * * * *",
  reconcile_orders: "*/5 * * * *",
  reconcile_transfers: "*/5 * * * *",
  sweep_accounts: "*/10 * * * *",
  sweep_console: "*/10 * * * *",
  sweep_limits: "*/10 * * * *",
  sweep_outcomes: "*/10 * * * *",
  sweep_outbox: "*/10 * * * *",
  end_pauses: "*/15 * * * *",
  end_answers: "17 * * * *",
  delete_unclaimed_media: "*/20 * * * *",
  /** Zones differ by quarters of an hour. */
  apply_decisions: "*/15 * * * *",
  end_waits: "3 * * * *",
  follow_mailbox_requests: "13 * * * *",
  sweep_email_changes: "33 * * * *",
  expire_age_checks: "3 * * * *",
  announce_versions: "29 * * * *",
  record_figures: "11 * * * *",
  queue_expiry_reminders: "7 * * * *",
  look_for_somebody_new: "19 * * * *",
  delete_old_sent_links: "17 * * * *",
  destroy_unsent_messages: "3 * * * *",
  complete_missed_matches: "23 * * * *",
  add_lost_member_jobs: "7 3 * * *",
  count_turns: "27 3 * * *",
  correct_order_inputs: "37 3 * * *",
  delete_expired_days_and_decks: "41 3 * * *",
  end_partings: "1 0 * * *",
  delete_old_ended_matches: "43 3 * * *",
  sweep_orphaned_media: "41 3 * * *",
  delete_ended_devices: "17 4 * * *",
  sweep_daily_keys: "17 4 * * *",
  sweep_webhook_events: "23 4 * * *",
  sweep_bank_orders: "27 4 * * *",
  sweep_moderation: "31 4 * * *",
  sweep_failed_jobs: "37 4 * * *",
  sweep_notices: "47 4 * * *",
  count_figures: "57 4 * * *",
  sweep_cases: "41 4 * * *",
  sweep_operator_log: "53 4 * * *",
  sweep_announcements: "57 4 * * *",
  handle_unused_accounts: "7 5 * * *",
  /** Late in the day, so that the thirty days are full ones. */
  destroy_hidden_conversations: "47 23 * * *",
} as const;

export type DomainEventPayloads = typeof domainEvents;
export type BusEvents = typeof busEvents;
export type JobPayloads = typeof jobs & Record<keyof typeof scheduledJobs, Record<string, never>>;
