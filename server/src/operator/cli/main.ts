import { openLog } from "../../platform/log.ts";
import { runningPostgresUrl, startPostgres } from "../../platform/embedded-postgres/server.ts";
import { buildServer } from "../../server.ts";
import { readConfig, ConfigError, type Config } from "../../config.ts";
import { startError } from "../../start-error.ts";
import { OperatorError, UsageError } from "./command-line.ts";
import { helpFor, parseCommand } from "./commands/index.ts";
import { formatOutput } from "./output.ts";

const POOL_SIZE = 2;
const ARGS = process.argv.slice(2);

async function main(): Promise<void> {
  const command = parseCommand(ARGS);
  if (!command) return void process.stdout.write(helpFor(ARGS));

  const config = readConfig(process.env);
  command.validate(config);
  const database = await withStartErrors(config, () => findDatabase(config));
  try {
    const log = openLog("error");
    const { ctx, close } = await withStartErrors(config, () =>
      buildServer({ config, databaseUrl: database.url, log, poolSize: POOL_SIZE }),
    );
    try {
      const facts = await command.run(ctx, command.reason, { databaseUrl: database.url });
      process.stdout.write(command.isJson ? `${JSON.stringify(facts)}\n` : formatOutput(facts, command));
    } finally {
      await close();
    }
  } finally {
    await database.stop();
  }
}

async function withStartErrors<T>(config: Config, start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    throw new OperatorError(startError(error, config));
  }
}

/** Uses the running server's embedded database, or starts it for this command. */
async function findDatabase(config: Config): Promise<{ url: string; stop(): Promise<void> }> {
  const url = config.databaseUrl ?? runningPostgresUrl(config.dataDir);
  return url ? { url, stop: async () => {} } : startPostgres({ dataDir: config.dataDir });
}

main().catch((error: unknown) => {
  if (error instanceof UsageError) {
    process.stderr.write(`${error.message}\n\n${helpFor(ARGS)}`);
    process.exitCode = 2;
    return;
  }
  const isExpected = error instanceof OperatorError || error instanceof ConfigError;
  process.stderr.write(`${isExpected ? error.message : String((error as Error).stack ?? error)}\n`);
  process.exitCode = 1;
});
