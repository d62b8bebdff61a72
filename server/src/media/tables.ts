import type { Generated } from "kysely";

/**
 * Members see only the first three. `hidden`: of a conversation that a block hides, or removed by an operator; `document`:
 * of an age check.
 */
export type MediaKind = "icon" | "message" | "clear" | "hidden" | "unsent" | "case" | "document";

interface MediaFilesTable {
  member_no: number;
  media_id: string;
  kind: MediaKind;
  /** A committed profile or message refers to the file. */
  claimed: Generated<boolean>;
  /** A voice note, else a picture. */
  is_voice: boolean;
  created_at: Date;
  /** Made before glass and mirror, under the owner's key; of evidence under its own. Null for documents, and a picture of one colour. */
  encrypted_hash: Buffer | null;
}

export interface MediaTables {
  media_files: MediaFilesTable;
}
