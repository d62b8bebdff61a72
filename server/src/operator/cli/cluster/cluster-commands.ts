import pg from "pg";
import { logOperatorAction } from "../../../accounts/index.ts";
import type { AppContext } from "../../../platform/context.ts";
import { connect } from "../../../platform/db/database.ts";
import { DatabaseUnavailableError } from "../../../platform/db/errors.ts";
import {
  type FieldDescriptions,
  type Group,
  noArguments,
  OperatorError,
  type Output,
  UsageError,
} from "../command-line.ts";
import * as rows from "./cluster.sql.ts";
import { distributeTables, renewConnections } from "./distribute.ts";
import { findFlaws, findObstacles } from "./problems.ts";

const STATUS: FieldDescriptions = {
  citus: "version of the extension",
  nodes: "one line each",
  "nodes.node": "host and port",
  "nodes.role": "`coordinator` or `worker`",
  "nodes.shards": "number of shards",
  rebalance: "state of the last rebalance, with its moves by state",
  missing: "what to do, one sentence each",
  "missing.problem": "one of them",
};

const INSUFFICIENT_PRIVILEGE = "42501";

async function requireCluster({ db }: AppContext): Promise<void> {
  const obstacles = await findObstacles(db);
  if (obstacles.length > 0) throw new OperatorError(obstacles.join("\n"));
}

async function status({ db }: AppContext): Promise<Output> {
  const version = await rows.readCitusVersion(db);
  const obstacles = await findObstacles(db);
  const missing = obstacles.length > 0 ? obstacles : await findFlaws(db);
  const problems = missing.map((problem) => ({ problem }));
  if (version === null) return { citus: null, nodes: [], rebalance: null, missing: problems };
  const nodes = (await rows.readNodes(db)).map(({ name, port, isCoordinator, shards }) => ({
    node: `${name}:${port}`,
    role: isCoordinator ? "coordinator" : "worker",
    shards: String(shards),
  }));
  const last = await rows.readRebalance(db);
  const rebalance = last && `${last.state} ${last.progress}`.trim();
  return { citus: version, nodes, rebalance, missing: problems };
}

/** Role settings concern new connections only, so that the checks need one. */
async function distribute(ctx: AppContext, databaseUrl: string): Promise<Output> {
  await requireCluster(ctx);
  const hadSettings = await rows.hasRoleSettings(ctx.db);
  await rows.saveRoleSettings(ctx.db);
  const fresh = connect(databaseUrl, ctx.log, { size: 1 });
  try {
    const isChanged = await distributeTables(fresh.db);
    if (isChanged || !hadSettings) await renewConnections(fresh.db);
    return await status({ ...ctx, db: fresh.db });
  } finally {
    await fresh.close();
  }
}

function parseNode(words: readonly string[]): { host: string; port: number } {
  const [host = "", port = ""] = words;
  if (words.length === 2 && /^[\w.:-]+$/.test(host) && /^\d{1,5}$/.test(port))
    return { host, port: Number(port) };
  throw new UsageError("cluster add-worker takes HOST PORT.");
}

async function addWorker(ctx: AppContext, { host, port }: { host: string; port: number }): Promise<Output> {
  try {
    await rows.addNode(ctx.db, host, port);
  } catch (error) {
    const { code, reason } = explain(error);
    throw new OperatorError(
      code === INSUFFICIENT_PRIVILEGE
        ? `Only a superuser adds nodes: run \`select citus_add_node('${host}', ${port})\` in this database on the coordinator.`
        : `The node was not added: ${reason}.`,
    );
  }
  return status(ctx);
}

async function rebalance(ctx: AppContext): Promise<Output> {
  await requireCluster(ctx);
  // A new node does not have them yet.
  await rows.saveRoleSettings(ctx.db);
  try {
    await rows.startRebalance(ctx.db);
  } catch (error) {
    throw new OperatorError(`The rebalance was not started: ${explain(error).reason}.`);
  }
  return status(ctx);
}

/** The coordinator's own words name the node and the role. */
function explain(error: unknown): { code: string | undefined; reason: string } {
  if (error instanceof DatabaseUnavailableError) return error;
  if (error instanceof pg.DatabaseError) return { code: error.code, reason: error.message };
  throw error;
}

export const cluster: Group = {
  distribute: {
    usage: "",
    summary: "spreads the tables over the workers of a Citus cluster; safe to repeat, also while serving",
    fields: STATUS,
    parse: (words) => {
      noArguments(words, "cluster distribute takes no arguments.");
      return async (ctx, reason, { databaseUrl }) => {
        await logOperatorAction(ctx, "cluster distribute", null, reason);
        return distribute(ctx, databaseUrl);
      };
    },
  },
  status: {
    usage: "",
    summary: "nodes, shards, and what is missing",
    fields: STATUS,
    parse: (words) => {
      noArguments(words, "cluster status takes no arguments.");
      return (ctx) => status(ctx);
    },
  },
  "add-worker": {
    usage: "HOST PORT",
    summary: "then run `cluster rebalance`",
    fields: STATUS,
    parse: (words) => {
      const node = parseNode(words);
      return async (ctx, reason) => {
        await logOperatorAction(ctx, `cluster add-worker ${node.host} ${node.port}`, null, reason);
        await requireCoordinator(ctx);
        return addWorker(ctx, node);
      };
    },
  },
  rebalance: {
    usage: "",
    summary: "moves shards to new workers in the background; writes to a shard wait while it moves",
    fields: STATUS,
    parse: (words) => {
      noArguments(words, "cluster rebalance takes no arguments.");
      return async (ctx, reason) => {
        await logOperatorAction(ctx, "cluster rebalance", null, reason);
        return rebalance(ctx);
      };
    },
  },
};

/** The first worker is added when there is none yet. */
async function requireCoordinator({ db }: AppContext): Promise<void> {
  if ((await rows.readCitusVersion(db)) !== null && (await rows.isCoordinator(db))) return;
  const [problem] = await findObstacles(db);
  throw new OperatorError(problem);
}
