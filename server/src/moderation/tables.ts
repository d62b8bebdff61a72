/** Pictures of suspended members, for a year. */
interface SuspendedPicturesTable {
  member_no: number;
  media_id: string;
  /** Bits `0` and `1`, keyed. */
  hash: string;
  suspended_on: string;
}

/** A member's picture that resembles one of a suspended member. */
interface PictureFlagsTable {
  member_no: number;
  flag_id: string;
  media_id: string;
  similar_to: number;
  flagged_on: string;
}

/** The network of a sign-up, for 30 days. */
interface SignUpNetworksTable {
  network_digest: Buffer;
  member_no: number;
  signed_up_on: string;
}

export interface ModerationTables {
  suspended_pictures: SuspendedPicturesTable;
  picture_flags: PictureFlagsTable;
  sign_up_networks: SignUpNetworksTable;
}
