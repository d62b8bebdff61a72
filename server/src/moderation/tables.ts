/** Kept for 30 days. */
interface SignUpNetworksTable {
  network_digest: Buffer;
  member_no: number;
  signed_up_on: string;
  /** Of a crowded network. Rounded up to the hour. */
  waits_until: Date | null;
}

export interface ModerationTables {
  sign_up_networks: SignUpNetworksTable;
}
