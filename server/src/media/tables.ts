import type { Generated } from "kysely";

/** Members see no `hidden` one, of a conversation hidden by a block, and no `report`, the evidence of a report. */
export type MediaKind = "icon" | "message" | "clear" | "hidden" | "report";

interface MediaFilesTable {
  member_no: number;
  media_id: string;
  kind: MediaKind;
  /** A committed profile or message refers to the file. */
  claimed: Generated<boolean>;
  /** The start of the hour. */
  created_at: Date;
}

export interface MediaTables {
  media_files: MediaFilesTable;
}
