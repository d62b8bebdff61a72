import type { Language } from "@alcove/i18n";
import type { Config } from "../config.ts";
import type { Clock } from "./clock.ts";
import type { DomainEvents } from "./domain-events.ts";
import type { Db } from "./db/database.ts";
import type { PersonalDataExports } from "./personal-data-exports.ts";
import type { FaceDetector } from "../integrations/face-detection/face-detection.ts";
import type { FileStorage } from "../integrations/file-storage/file-storage.ts";
import type { Jobs } from "./jobs/jobs.ts";
import type { RunningTasks } from "./lib/running-tasks.ts";
import type { RateLimits } from "./security/rate-limits.ts";
import type { Lookups } from "./security/lookups.ts";
import type { Turns } from "./http/turns.ts";
import type { EventBus } from "./realtime/event-bus.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import type { PayoutReader, Payments } from "../integrations/paypal/payments.ts";
import type { Secrets } from "./keys/secrets.ts";
import type { DeletionList } from "./keys/deletion-list.ts";
import type { MasterKeys } from "./keys/master-keys.ts";
import type { Encryption } from "./keys/encryption.ts";
import type { Sockets } from "./realtime/sockets.ts";

/** `memberId` is internal and never leaves the server. */
export interface CurrentMember {
  readonly memberId: number;
  readonly userId: string;
  readonly session: string;
  /** The session may only buy. */
  readonly isForPurchases: boolean;
  /** A day; null if no consent is due. */
  readonly consentRequiredFrom: string | null;
  readonly isAgeChecked: boolean;
  /** The member is suspended: the session has the scope `case`. */
  readonly isSuspended: boolean;
}

export interface Locale {
  readonly language: Language;
  readonly timeZone: string;
}

/** Which other sessions may make a call. */
export interface Scopes {
  readonly forPurchases?: boolean;
  readonly forCase?: boolean;
}

export interface Viewer {
  readonly memberId: number;
  readonly session: string | null;
  readonly isForPurchases?: boolean;
}

export interface MemberRef {
  readonly memberId: number;
}

/** `messageId` stays the same when the email is sent again. */
export interface Email {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  readonly replyTo?: string;
  readonly messageId: string;
  readonly unsubscribe?: string;
}

export interface Mailer {
  send(email: Email): Promise<void>;
  close(): void;
}

export interface AppContext {
  readonly config: Config;
  readonly secrets: Secrets;
  readonly db: Db;
  readonly searchDb: Db;
  /** A Citus cluster rejects some statements. */
  readonly isCluster: boolean;
  readonly clock: Clock;
  readonly encryption: Encryption;
  readonly masterKeys: MasterKeys;
  readonly deletionList: DeletionList;
  readonly rateLimits: RateLimits;
  readonly turns: Turns;
  readonly lookups: Lookups;
  readonly eventBus: EventBus;
  readonly sockets: Sockets;
  readonly jobs: Jobs;
  readonly fileStorage: FileStorage;
  readonly faceDetector: FaceDetector;
  readonly mailer: Mailer;
  /** Null if payments are off or paused. */
  readonly payments: Payments | null;
  /** Works while payments are paused; null if PayPal is not configured. */
  readonly payoutReader: PayoutReader | null;
  readonly domainEvents: DomainEvents;
  readonly personalDataExports: PersonalDataExports;
  /** The database stays open until they end. */
  readonly runningTasks: RunningTasks;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Reads the token alone. Throws `token_expired` or `login_required`. */
  memberIdOf(token: string): number;
  /** Throws `login_required` or `account_suspended` for a session that the scopes do not include. */
  authenticate(token: string, scopes?: Scopes, locale?: Locale | null): Promise<CurrentMember>;
  /** Marks the ticket as used. Throws `login_required`. */
  redeemFileTicket(ticket: string, scopes: Scopes): Promise<CurrentMember>;
}
