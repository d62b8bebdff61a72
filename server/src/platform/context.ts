import type { Config } from "../config.ts";
import type { Clock } from "./clock.ts";
import type { DomainEvents } from "./domain-events.ts";
import type { Db } from "./db/database.ts";
import type { PersonalDataExports } from "./personal-data-exports.ts";
import type { FaceDetector } from "../integrations/face-detection/face-detection.ts";
import type { FileStorage } from "../integrations/file-storage/file-storage.ts";
import type { Jobs } from "./jobs/jobs.ts";
import type { RateLimits } from "./security/rate-limits.ts";
import type { EventBus } from "./realtime/event-bus.ts";
import type { Log } from "./log.ts";
import type { PayoutReader, Payments } from "../integrations/paypal/payments.ts";
import type { Secrets } from "./security/secrets.ts";
import type { Encryption } from "./security/encryption.ts";
import type { Sockets } from "./realtime/sockets.ts";

/** The member that makes a request. `no` is internal and never leaves the server. */
export interface CurrentMember {
  readonly memberId: number;
  readonly userId: string;
  readonly session: string;
}

/** Who looks at a picture: a member in one of its sessions, or, at sign-up alone, before it has any. */
export interface Viewer {
  readonly memberId: number;
  readonly session: string | null;
}

/** Whom a rule is about. */
export interface MemberRef {
  readonly memberId: number;
}

/** A letter, ready to send. `messageId` stays the same when it is sent again. */
export interface Email {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly messageId: string;
  /** Where one click ends letters of this kind (RFC 8058). */
  readonly unsubscribe?: string;
}

/** Sends letters: by SMTP, or into the outbox folder. */
export interface Mailer {
  send(letter: Email): Promise<void>;
  close(): void;
}

/** The parts of the server that features work with. */
export interface AppContext {
  readonly config: Config;
  readonly secrets: Secrets;
  readonly db: Db;
  /** For reading at length: few connections, on which no statement takes longer than a second. */
  readonly searchDb: Db;
  readonly clock: Clock;
  readonly encryption: Encryption;
  readonly rateLimits: RateLimits;
  readonly eventBus: EventBus;
  readonly sockets: Sockets;
  readonly jobs: Jobs;
  readonly fileStorage: FileStorage;
  readonly faceDetector: FaceDetector;
  readonly mailer: Mailer;
  /** Null where buying is switched off. */
  readonly payments: Payments | null;
  /** Also while payments rest; null where PayPal is not configured. */
  readonly payoutReader: PayoutReader | null;
  readonly domainEvents: DomainEvents;
  readonly personalDataExports: PersonalDataExports;
  readonly log: Log;
  /** Who an access token belongs to; refuses with `login_required` or `token_expired`. */
  authenticate(token: string): Promise<CurrentMember>;
  /** Whose session this is, if it lives; refuses like `authenticate`. */
  confirmSession(session: string): Promise<CurrentMember>;
  /** Whose ticket for a file this is, which is used up by that; refuses with `login_required`. */
  redeemFileTicket(ticket: string): Promise<CurrentMember>;
}
