interface AnnouncementsTable {
  /** A keyed digest of the emails. */
  announcement_id: string;
  /** In all languages, under a key of their own. */
  encrypted_emails: Buffer;
  created_on: string;
}

interface AnnouncedMembersTable {
  member_no: number;
  announcement_id: string;
}

export interface AnnouncementsTables {
  announcements: AnnouncementsTable;
  announced_members: AnnouncedMembersTable;
}
