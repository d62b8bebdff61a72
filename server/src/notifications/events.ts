export interface DigestJob {
  emailId: string;
  memberId: number;
}

export interface NotificationsJobs {
  digest_email: DigestJob;
  tell_news: unknown;
  sweep_devices: unknown;
}
