interface MediaFilesTable {
  member_no: number;
  media_id: string;
  kind: "icon" | "message";
  created_at: Date;
}

declare module "../platform/database.ts" {
  interface Tables {
    media_files: MediaFilesTable;
  }
}

export {};
