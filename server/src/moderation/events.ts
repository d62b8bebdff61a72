export interface ModerationJobs {
  hash_suspended_pictures: { memberId: number };
  compare_pictures: { memberId: number; mediaIds: readonly string[] };
  sweep_moderation: Record<string, never>;
}
