import type { Generated } from "kysely";

/**
 * Members see neither `hidden`, from a conversation that a block hides, nor `report`, the evidence of a report, nor
 * `document`, of an age check.
 */
export type MediaKind = "icon" | "message" | "clear" | "hidden" | "report" | "document";

interface MediaFilesTable {
  member_no: number;
  media_id: string;
  kind: MediaKind;
  /** A committed profile or message refers to the file. */
  claimed: Generated<boolean>;
  /** Rounded down to the hour. */
  created_at: Date;
}

export interface MediaTables {
  media_files: MediaFilesTable;
}
