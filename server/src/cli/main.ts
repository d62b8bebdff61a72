import { openLog } from "../platform/log.ts";
import { runningPostgresUrl, startPostgres } from "../platform/embedded-postgres/server.ts";
import { buildServer } from "../server.ts";
import { readConfig, ConfigError, type Config } from "../config.ts";
import { startError } from "../start-error.ts";
import { OperatorProblem, UsageProblem } from "./command-line.ts";
import { helpFor, readCommand } from "./commands/index.ts";
import { spell } from "./output.ts";

const POOL_SIZE = 2;
const ARGS = process.argv.slice(2);

async function main(): Promise<void> {
  const command = readCommand(ARGS);
  if (!command) return void process.stdout.write(helpFor(ARGS));

  const config = readConfig(process.env);
  command.before(config);
  const database = await starting(config, () => findDatabase(config));
  try {
    const log = openLog("error");
    const { ctx, close } = await starting(config, () =>
      buildServer({ config, databaseUrl: database.url, log, poolSize: POOL_SIZE }),
    );
    try {
      const facts = await command.run(ctx, command.reason, { databaseUrl: database.url });
      process.stdout.write(command.isJson ? `${JSON.stringify(facts)}\n` : spell(facts, command));
    } finally {
      await close();
    }
  } finally {
    await database.stop();
  }
}

/** Does a part of the start, and says why it cannot be done as the server does. */
async function starting<T>(config: Config, start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    throw new OperatorProblem(startError(error, config));
  }
}

/** The server's own database: the embedded one of the running server, or started for this command alone. */
async function findDatabase(config: Config): Promise<{ url: string; stop(): Promise<void> }> {
  const url = config.databaseUrl ?? runningPostgresUrl(config.dataDir);
  return url ? { url, stop: async () => {} } : startPostgres({ dataDir: config.dataDir });
}

main().catch((error: unknown) => {
  if (error instanceof UsageProblem) {
    process.stderr.write(`${error.message}\n\n${helpFor(ARGS)}`);
    process.exitCode = 2;
    return;
  }
  const isExpected = error instanceof OperatorProblem || error instanceof ConfigError;
  process.stderr.write(`${isExpected ? error.message : String((error as Error).stack ?? error)}\n`);
  process.exitCode = 1;
});
