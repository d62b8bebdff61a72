export interface AnnouncementJob {
  emailId: string;
  memberId: number;
  announcement: string;
}
