import type { Generated } from "kysely";

interface MediaFilesTable {
  member_no: number;
  media_id: string;
  kind: "icon" | "message" | "clear";
  /** Whether a profile or message that was committed refers to it; what nobody claims is swept. */
  claimed: Generated<boolean>;
  created_at: Date;
}

export interface MediaTables {
  media_files: MediaFilesTable;
}
