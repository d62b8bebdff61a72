import { logOperatorAction } from "../../../accounts/index.ts";
import type { AppContext } from "../../../platform/context.ts";
import { connect } from "../../../platform/db/database.ts";
import {
  type FieldDescriptions,
  type Group,
  noArguments,
  OperatorError,
  type Output,
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
  missing: "what to do, one sentence each",
  "missing.problem": "one of them",
};

async function status({ db }: AppContext): Promise<Output> {
  const version = await rows.readCitusVersion(db);
  const obstacles = await findObstacles(db);
  const missing = obstacles.length > 0 ? obstacles : await findFlaws(db);
  const problems = missing.map((problem) => ({ problem }));
  if (version === null) return { citus: null, nodes: [], missing: problems };
  const nodes = (await rows.readNodes(db)).map(({ name, port, isCoordinator, shards }) => ({
    node: `${name}:${port}`,
    role: isCoordinator ? "coordinator" : "worker",
    shards: String(shards),
  }));
  return { citus: version, nodes, missing: problems };
}

/** Role settings concern new connections only, so the checks need one. */
async function distribute(ctx: AppContext, databaseUrl: string): Promise<Output> {
  const obstacles = await findObstacles(ctx.db);
  if (obstacles.length > 0) throw new OperatorError(obstacles.join("\n"));
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
};
