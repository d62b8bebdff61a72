export interface DigestJob {
  emailId: string;
  memberId: number;
}
