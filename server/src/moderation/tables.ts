export type ReviewRisk = "near_banned" | "new" | "usual";

/** New profile pictures that no operator has looked at. */
interface PictureReviewsTable {
  member_no: number;
  media_id: string;
  review_id: string;
  risk: ReviewRisk;
  added_on: string;
}

interface SignUpNetworksTable {
  network_digest: Buffer;
  member_no: number;
  signed_up_on: string;
  /** Of a crowded network. Rounded up to the hour. */
  waits_until: Date | null;
}

export interface ModerationTables {
  picture_reviews: PictureReviewsTable;
  sign_up_networks: SignUpNetworksTable;
}
