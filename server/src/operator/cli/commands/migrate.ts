import { sql } from "kysely";
import { type Group, noArguments } from "../command-line.ts";

export const migrate: Group = {
  "": {
    usage: "",
    summary: "runs pending migrations, as each start of a server does, and lists all",
    fields: { migration: "its name with a digest of its statements", run_at: "when it ran" },
    parse: (words) => {
      noArguments(words, "migrate takes no arguments.");
      return async ({ db }) => {
        const { rows } = await sql<{ name: string; timestamp: string }>`
          select name, timestamp from kysely_migration order by name`.execute(db);
        return rows.map(({ name, timestamp }) => ({ migration: name, run_at: timestamp }));
      };
    },
  },
};
