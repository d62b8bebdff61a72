interface OperatorLogTable {
  entry_id: string;
  at: Date;
  act: string;
  subject: string;
  reason: string | null;
}

declare module "../platform/database.ts" {
  interface Tables {
    operator_log: OperatorLogTable;
  }
}

export {};
