export interface NewEmailJob {
  emailId: string;
  /** Encrypted with a daily key, in base64. */
  encrypted: string;
  isSilent: boolean;
}
