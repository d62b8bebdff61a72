export interface MessageSent {
  readonly low: number;
  readonly high: number;
  readonly id: string;
  /** Null for a first or repeated message. */
  readonly previousId: string | null;
}

export type MessageImages = { ownerMemberId: number; mediaId: string }[];
