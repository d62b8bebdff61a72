export interface MediaJobs {
  /** Deletes files whose rows are deleted. */
  delete_media_files: { mediaIds: string[] };
  /** Deletes unused uploads. */
  delete_unclaimed_media: object;
  /** Compares stored files with their rows, once a day. */
  sweep_orphaned_media: object;
}
