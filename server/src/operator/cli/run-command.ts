import { openLog } from "../../platform/log.ts";
import { runningPostgresUrl, startPostgres } from "../../platform/embedded-postgres/server.ts";
import { buildServer } from "../../server.ts";
import { readConfig, ConfigError, type Config } from "../../config.ts";
import { ApiError } from "../../platform/errors.ts";
import { messageOf } from "../../platform/http/error-handler.ts";
import { startError } from "../../start-error.ts";
import { OperatorError, UsageError } from "./command-line.ts";
import { helpFor, parseCommand } from "./commands/index.ts";
import { formatOutput } from "./output.ts";

interface Ending {
  readonly code: number;
  readonly out: string;
  readonly problems: string;
}

const POOL_SIZE = 2;

export async function runCommand(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Ending> {
  try {
    return { code: 0, out: await outputOf(args, env), problems: "" };
  } catch (error) {
    if (error instanceof UsageError)
      return { code: 2, out: "", problems: `${error.message}\n\n${helpFor(args)}` };
    const isExpected = error instanceof OperatorError || error instanceof ConfigError;
    const ownMessage = isExpected ? error.message : String((error as Error).stack ?? error);
    const problem = error instanceof ApiError ? messageOf(error, "en") : ownMessage;
    return { code: 1, out: "", problems: `${problem}\n` };
  }
}

async function outputOf(args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const command = parseCommand(args);
  if (!command) return helpFor(args);

  const config = readConfig(env);
  command.validate(config);
  const database = await withStartErrors(config, () => findDatabase(config));
  try {
    const log = openLog("error");
    const { ctx, close } = await withStartErrors(config, () =>
      buildServer({ config, databaseUrl: database.url, log, poolSize: POOL_SIZE }),
    );
    try {
      const facts = await command.run(ctx, command.reason, { databaseUrl: database.url });
      return command.isJson ? `${JSON.stringify(facts)}\n` : formatOutput(facts, command);
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

async function findDatabase(config: Config): Promise<{ url: string; stop(): Promise<void> }> {
  const url = config.databaseUrl ?? runningPostgresUrl(config.dataDir);
  return url ? { url, stop: async () => {} } : startPostgres({ dataDir: config.dataDir });
}
