/** Kept for a year. */
interface SuspendedPicturesTable {
  member_no: number;
  media_id: string;
  /** Bits `0` and `1`, keyed. */
  hash: string;
  suspended_on: string;
}

interface PictureFlagsTable {
  member_no: number;
  flag_id: string;
  media_id: string;
  similar_to: number;
  flagged_on: string;
}

/** Kept for 30 days. */
interface SignUpNetworksTable {
  network_digest: Buffer;
  member_no: number;
  signed_up_on: string;
  /** Of a crowded network. Rounded up to the hour. */
  waits_until: Date | null;
}

export interface ModerationTables {
  suspended_pictures: SuspendedPicturesTable;
  picture_flags: PictureFlagsTable;
  sign_up_networks: SignUpNetworksTable;
}
