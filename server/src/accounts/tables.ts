import type { ColumnType, Generated } from "kysely";
import type { AgeCheckState } from "@alcove/contract/age-check";
import type { CaseRule } from "@alcove/contract/cases";
import type { Agreed } from "./consent/consents.ts";
import type { PasskeyRow } from "./passkeys/passkeys.sql.ts";

interface SessionsTable {
  session_id: string;
  member_no: number;
  refresh_digest: Buffer;
  device_digest: Buffer | null;
  encrypted_device_name: Buffer | null;
  created_at: Date;
  refreshed_at: Date;
  use_no: number;
  expires_at: Date;
  ended_at: Date | null;
  /** Of a browser that the native app's code logged in for purchases: the app's session. */
  parent_session_id: string | null;
  language: string;
  /** From an unknown device, and not confirmed on a known one. */
  is_new: Generated<boolean>;
}

interface CodesTable {
  email_digest: Buffer;
  purpose: "sign_up" | "reset_password" | "change_email";
  browser_digest: Buffer;
  network_digest: Buffer;
  had_cookie: boolean;
  is_silent: Generated<boolean>;
  code_digest: Buffer;
  browser_misses: Generated<number>;
  network_misses: Generated<number>;
  other_misses: Generated<number>;
  is_confirmed: Generated<boolean>;
  /** Null for a reset. */
  agreed: ColumnType<Agreed | null, string | null>;
  /** The order of requests, not of emails. */
  request_no: number;
  expires_at: Date;
}

interface SpentChallengesTable {
  challenge_digest: Buffer;
  expires_at: Date;
}

interface SignUpHoursTable {
  hour: Date;
  requests: number;
}

interface SocketTicketsTable {
  ticket_digest: Buffer;
  member_no: number;
  session_id: string;
  expires_at: Date;
}

interface OperatorLogTable {
  entry_id: string;
  at: Date;
  sequence_no: number;
  action: string;
  /** Null after the member's deletion. */
  subject_no: number | null;
  subject_deleted: Generated<boolean>;
  encrypted_reason: Buffer | null;
  /** Null for the command line. */
  operator_id: string | null;
  /** Of a look for a case. The member reads it later. */
  case_no: number | null;
  case_rule: Generated<CaseRule | null>;
  /** The first day, where the case led to nothing. */
  shows_on: Generated<string | null>;
}

interface AgeChecksTable {
  member_no: number;
  check_id: string;
  state: Exclude<AgeCheckState, "missing" | "approved">;
  changed_on: string;
  expires_at: Date | null;
  /** Null after the decision. */
  key_id: number | null;
  media_id: string | null;
}

interface DeviceNoticesTable {
  member_no: number;
  is_off: Generated<boolean>;
  emailed_on: string | null;
}

/** Numbers of destroyed keys of members, which no row leads back to. */
interface DestroyedKeysTable {
  key_number: number;
  destroyed_on: string;
}

interface PasskeyIndexTable {
  credential_digest: Buffer;
  member_no: number;
}

interface RecoveryCodesTable {
  member_no: number;
  code_digest: Buffer;
}

export interface AccountsTables {
  age_checks: AgeChecksTable;
  passkeys: PasskeyRow;
  passkey_index: PasskeyIndexTable;
  recovery_codes: RecoveryCodesTable;
  sessions: SessionsTable;
  codes: CodesTable;
  spent_challenges: SpentChallengesTable;
  sign_up_hours: SignUpHoursTable;
  socket_tickets: SocketTicketsTable;
  operator_log: OperatorLogTable;
  device_notices: DeviceNoticesTable;
  destroyed_keys: DestroyedKeysTable;
}
