import type { Generated } from "kysely";

interface MediaFilesTable {
  member_no: number;
  media_id: string;
  kind: "icon" | "message" | "clear";
  /** Whether a profile or message that was committed refers to it; what nobody claims is swept. */
  claimed: Generated<boolean>;
  created_at: Date;
}

declare module "../platform/db/database.ts" {
  interface Tables {
    media_files: MediaFilesTable;
  }
}
