export interface MediaJobs {
  /** Deletes files whose rows are deleted. */
  forget_files: { mediaIds: string[] };
  /** Deletes unused uploads. */
  sweep_media: object;
  /** Compares stored files with their rows, once a day. */
  walk_media_store: object;
}
