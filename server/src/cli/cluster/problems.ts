import type { Db } from "../../platform/db/database.ts";
import * as rows from "./cluster.sql.ts";

/** On the coordinator alone. */
export const LOCAL_TABLES = [
  "kysely_migration",
  "kysely_migration_lock",
  "database_ids",
  // Share locks on a reference table deadlock when two members sign up at the same time.
  "master_keys",
  "server_processes",
  "restorations",
  "operator_log",
  "operators",
  "operator_passkeys",
  "operator_enrolments",
  "operator_challenges",
  "operator_sessions",
  "case_claims",
];

/** Names the things that a distribution still needs, one sentence each. */
export async function findObstacles(db: Db): Promise<string[]> {
  if ((await rows.readCitusVersion(db)) === null) {
    return [
      "The extension citus is missing: add it to shared_preload_libraries, and run `create extension citus` in this database on every node.",
    ];
  }
  if (!(await rows.isCoordinator(db))) return ["DATABASE_URL names a worker: it must name the coordinator."];
  const nodes = await rows.readNodes(db);
  const problems = nodes
    .filter(({ isSynced }) => !isSynced)
    .map(
      ({ name, port }) =>
        `The node ${name}:${port} has no copy of the metadata: run \`select start_metadata_sync_to_node('${name}', ${port})\` as a superuser.`,
    );
  if (!nodes.some((node) => node.isCoordinator)) {
    problems.push(
      "The coordinator is not among the nodes: run `select citus_set_coordinator_host('HOST')` as a superuser.",
    );
  }
  if (!nodes.some(({ hasShards }) => hasShards))
    problems.push("There is no worker: run `npm run operator -- cluster add-worker HOST PORT`.");
  const prepared = await rows.readSetting(db, "max_prepared_transactions");
  if (prepared.includes(null)) problems.push("A node does not respond: start it.");
  if (prepared.includes("0"))
    problems.push(
      "max_prepared_transactions is 0 on a node: set it to max_connections, and restart the node.",
    );
  return problems;
}

/** Names the flaws of a distributed database, one sentence each. */
export async function findFlaws(db: Db): Promise<string[]> {
  const problems: string[] = [];
  for (const [name, wanted] of Object.entries(rows.ROLE_SETTINGS)) {
    if ((await rows.readSetting(db, name)).some((value) => value !== null && value !== wanted)) {
      problems.push(
        `${name} is not ${wanted} on every node: run \`npm run operator -- cluster distribute\` again, or \`alter role … set\` on each node.`,
      );
    }
  }
  for (const [name, wanted] of Object.entries(rows.LOG_SETTINGS)) {
    if ((await rows.readSetting(db, name)).some((value) => value !== null && value !== wanted)) {
      problems.push(
        `Logs of a node can contain members' data: set ${name} = ${wanted} in postgresql.conf of every node, and reload.`,
      );
    }
  }
  const undistributed = await rows.readUndistributed(db, LOCAL_TABLES);
  if (undistributed.length > 0) {
    problems.push(
      `Tables are on the coordinator alone (${undistributed.join(", ")}): run \`npm run operator -- cluster distribute\`.`,
    );
  }
  return problems;
}
