import type { NoticeKind } from "@alcove/contract/notices";

/** A notifier may object once, after which the decision is `final`. */
export type NoticeState = "received" | "answered" | "appealed" | "final";

interface NoticesTable {
  case_no: number;
  kind: NoticeKind;
  key_id: number;
  /** Name, address, language and the named account. The rest is evidence of the case. */
  encrypted_notice: Buffer;
  /** Keyed hashes of the picture; empty after the search. */
  hashes: string[];
  received_on: string;
  state: NoticeState;
}

/** Accounts that a notice names, or that have a near copy of its picture, each with a case of its own. */
interface NoticeHitsTable {
  case_no: number;
  member_no: number;
  hit_case_no: number;
}

export interface NoticesTables {
  notices: NoticesTable;
  notice_hits: NoticeHitsTable;
}
