export interface DigestJob {
  emailId: string;
  memberId: number;
}

export interface NotificationsJobs {
  digest_email: DigestJob;
  send_notifications: unknown;
  delete_ended_devices: unknown;
}
