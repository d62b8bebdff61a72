import type { Db } from "../../../platform/db/database.ts";
import * as rows from "./cluster.sql.ts";

export const LOCAL_TABLES = [
  "kysely_migration",
  "kysely_migration_lock",
  "database_ids",
  // Share locks on a reference table deadlock when two members sign up at the same time.
  "master_keys",
  "server_processes",
  "restorations",
  "sign_up_hours",
  "operator_log",
  "operators",
  "operator_passkeys",
  "operator_enrolments",
  "operator_requests",
  "operator_sessions",
  "case_claims",
  "announcements",
  "daily_figures",
  "transparency_figures",
];

export async function findObstacles(db: Db): Promise<string[]> {
  if ((await rows.readCitusVersion(db)) === null) {
    return [
      "The extension citus is missing: add it to shared_preload_libraries, and run `create extension citus` as a superuser in this database on every node.",
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
    problems.push(
      "There is no worker: run `select citus_add_node('HOST', PORT)` as a superuser in this database on the coordinator.",
    );
  return [...problems, ...(await findMissingRights(db)), ...(await findNodeProblems(db))];
}

async function findMissingRights(db: Db): Promise<string[]> {
  const { role, database } = await rows.readRole(db);
  const foreign = await rows.readForeignTables(db);
  const problems = (await rows.readNodesWithoutRights(db)).map(
    (node) =>
      `The role ${role} may not create tables on ${node}: run \`alter database ${database} owner to ${role}\` there as a superuser, in its database postgres.`,
  );
  if (foreign.length > 0) {
    const statements = foreign.map((name) => `alter table ${name} owner to ${role}`).join("; ");
    problems.push(
      `Tables belong to another role: run \`${statements}\` as a superuser in this database on the coordinator.`,
    );
  }
  return problems;
}

/** A transaction over several shards is prepared on each node. */
async function findNodeProblems(db: Db): Promise<string[]> {
  const { role, database } = await rows.readRole(db);
  const prepared = await rows.readSetting(db, "max_prepared_transactions");
  return prepared.flatMap(({ node, value }) => {
    if (value === null) {
      return `The node ${node} does not respond to the role ${role}: start it, or run \`create role ${role} login\` there, and let every node log in to its database ${database} (pg_hba.conf, .pgpass).`;
    }
    if (value !== "0") return [];
    return `max_prepared_transactions is 0 on ${node}: set it to max_connections, and restart the node.`;
  });
}

export async function findFlaws(db: Db): Promise<string[]> {
  const problems: string[] = [];
  for (const [name, wanted] of Object.entries(rows.ROLE_SETTINGS)) {
    if ((await rows.readSetting(db, name)).some(({ value }) => value !== null && value !== wanted)) {
      problems.push(
        `${name} is not ${wanted} on every node: run \`npm run operator -- cluster distribute\` again.`,
      );
    }
  }
  for (const [name, wanted] of Object.entries(rows.LOG_SETTINGS)) {
    if ((await rows.readSetting(db, name)).some(({ value }) => value !== null && value !== wanted)) {
      problems.push(
        `Logs of a node can contain members' data: set ${name} = ${wanted} in postgresql.conf of every node, and reload.`,
      );
    }
  }
  // Citus reports a deadlock as such only if errors are logged. The server repeats a transaction only after that error.
  for (const { node, value } of await rows.readSetting(db, "log_min_messages")) {
    if (["log", "fatal", "panic"].includes(value ?? ""))
      problems.push(`Deadlocks get no error of their own on ${node}: set log_min_messages = error there.`);
  }
  const undistributed = await rows.readUndistributed(db, LOCAL_TABLES);
  if (undistributed.length > 0) {
    problems.push(
      `Tables are on the coordinator alone (${undistributed.join(", ")}): run \`npm run operator -- cluster distribute\`.`,
    );
  }
  return problems;
}
