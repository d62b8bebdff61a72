import type { Transport } from "../accounts/index.ts";

/** A removed account stays for a year, so that the operator log can name it. */
interface OperatorsTable {
  operator_id: string;
  name_digest: Buffer;
  encrypted_name: Buffer;
  added_on: string;
  removed_on: string | null;
}

interface OperatorPasskeysTable {
  credential_id: Buffer;
  operator_id: string;
  public_key: Buffer;
  sign_count: number;
  transports: Transport[];
  added_on: string;
  used_on: string | null;
}

interface OperatorEnrolmentsTable {
  token_digest: Buffer;
  operator_id: string;
  expires_at: Date;
}

interface OperatorSessionsTable {
  session_digest: Buffer;
  operator_id: string;
  opened_at: Date;
  used_at: Date;
}

interface CaseClaimsTable {
  case_no: number;
  operator_id: string;
  expires_at: Date;
}

/** What cannot be undone waits for a second operator. */
interface OperatorRequestsTable {
  request_id: string;
  action: string;
  operator_id: string | null;
  subject_no: number | null;
  /** Details and reason, with the member's key. Null without a member. */
  encrypted_details: Buffer | null;
  asked_on: string;
  is_approved: boolean;
  expires_at: Date;
}

export interface ConsoleTables {
  operator_requests: OperatorRequestsTable;
  operators: OperatorsTable;
  operator_passkeys: OperatorPasskeysTable;
  operator_enrolments: OperatorEnrolmentsTable;
  operator_sessions: OperatorSessionsTable;
  case_claims: CaseClaimsTable;
}
