import type { AccountsDomainEvents, AccountsJobs } from "./accounts/events.ts";
import type { AccountsTables } from "./accounts/tables.ts";
import type { ConsoleJobs } from "./operator/events.ts";
import type { ConsoleTables } from "./operator/tables.ts";
import type { DiscoveryBusEvents, DiscoveryDomainEvents, DiscoveryJobs } from "./discovery/events.ts";
import type { DiscoveryTables } from "./discovery/tables.ts";
import type { MediaJobs } from "./media/events.ts";
import type { MediaTables } from "./media/tables.ts";
import type { MembersTables } from "./members/tables.ts";
import type { MembershipDomainEvents, MembershipJobs } from "./membership/events.ts";
import type { MembershipTables } from "./membership/tables.ts";
import type { MessagingBusEvents, MessagingDomainEvents, MessagingJobs } from "./messaging/events.ts";
import type { MessagingTables } from "./messaging/tables.ts";
import type { ModerationJobs } from "./moderation/events.ts";
import type { ModerationTables } from "./moderation/tables.ts";
import type { NotificationsJobs } from "./notifications/events.ts";
import type { NotificationsTables } from "./notifications/tables.ts";
import type { PlatformBusEvents, PlatformDomainEvents, PlatformJobs } from "./platform/events.ts";
import type { PlatformTables } from "./platform/tables.ts";
import type { ProfilesDomainEvents } from "./profiles/events.ts";
import type { ProfilesTables } from "./profiles/tables.ts";
import type { ReferralJobs } from "./referral/events.ts";
import type { ReferralTables } from "./referral/tables.ts";
import type { ReportsJobs } from "./reports/events.ts";
import type { ReportsTables } from "./reports/tables.ts";
import type { SafetyDomainEvents, SafetyJobs } from "./safety/events.ts";
import type { SafetyTables } from "./safety/tables.ts";
import type { SupportJobs } from "./support/events.ts";

/** Only the feature that lists a table writes it. */
export interface Tables
  extends
    AccountsTables,
    ConsoleTables,
    DiscoveryTables,
    MediaTables,
    MembersTables,
    MembershipTables,
    MessagingTables,
    ModerationTables,
    NotificationsTables,
    PlatformTables,
    ProfilesTables,
    ReferralTables,
    ReportsTables,
    SafetyTables {}

/** Handlers run inside the transaction of the feature that emits the event. */
export interface DomainEventPayloads
  extends
    AccountsDomainEvents,
    DiscoveryDomainEvents,
    MembershipDomainEvents,
    MessagingDomainEvents,
    PlatformDomainEvents,
    ProfilesDomainEvents,
    SafetyDomainEvents {}

/** Events are published after a commit. They may be lost or repeated. */
export interface BusEvents extends DiscoveryBusEvents, MessagingBusEvents, PlatformBusEvents {}

/** A payload contains only ids and encrypted values. */
export interface JobPayloads
  extends
    AccountsJobs,
    ConsoleJobs,
    DiscoveryJobs,
    MediaJobs,
    MembershipJobs,
    MessagingJobs,
    ModerationJobs,
    NotificationsJobs,
    PlatformJobs,
    ReferralJobs,
    ReportsJobs,
    SafetyJobs,
    SupportJobs {}
