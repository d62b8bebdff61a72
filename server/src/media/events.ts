export interface MediaJobs {
  delete_media_files: { mediaIds: string[] };
  delete_unclaimed_media: object;
  sweep_orphaned_media: object;
}
