interface MembershipsTable {
  member_no: number;
  paid_until: Date;
}

interface GrantsTable {
  member_no: number;
  grant_id: string;
  year: number;
  month: number;
  source: "operator";
  at: Date;
}

declare module "../platform/database.ts" {
  interface Tables {
    memberships: MembershipsTable;
    grants: GrantsTable;
  }
}

export {};
