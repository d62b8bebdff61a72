import type { Generated } from "kysely";

interface MediaFilesTable {
  member_no: number;
  media_id: string;
  kind: "icon" | "message" | "clear";
  /** A committed profile or message refers to the file. */
  claimed: Generated<boolean>;
  created_at: Date;
}

export interface MediaTables {
  media_files: MediaFilesTable;
}
