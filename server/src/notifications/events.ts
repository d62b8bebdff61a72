export interface DigestJob {
  letterId: string;
  memberId: number;
}

export interface NotificationsJobs {
  digest_letter: DigestJob;
  tell_news: unknown;
  sweep_devices: unknown;
}
