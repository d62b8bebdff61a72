import { openLog } from "../platform/log.ts";
import { runningPostgresUrl, startPostgres } from "../platform/postgres.ts";
import { buildService } from "../service.ts";
import { readSettings, SettingsProblem, type Settings } from "../settings.ts";
import { type Facts, OperatorProblem, UsageProblem } from "./command-line.ts";
import { HELP, readCommand } from "./commands.ts";

const POOL_SIZE = 2;

async function main(): Promise<void> {
  const command = readCommand(process.argv.slice(2));
  if (!command) return void process.stdout.write(HELP);

  const settings = readSettings(process.env);
  command.before(settings);
  const database = await findDatabase(settings);
  try {
    const log = openLog("error");
    const { deps, close } = await buildService({
      settings,
      databaseUrl: database.url,
      log,
      poolSize: POOL_SIZE,
    });
    try {
      print(await command.run(deps, command.reason, { databaseUrl: database.url }), command.isJson);
    } finally {
      await close();
    }
  } finally {
    await database.stop();
  }
}

/** The server's own database: the embedded one of the running server, or started for this command alone. */
async function findDatabase(settings: Settings): Promise<{ url: string; stop(): Promise<void> }> {
  const url = settings.databaseUrl ?? runningPostgresUrl(settings.dataDir);
  return url ? { url, stop: async () => {} } : startPostgres({ dataDir: settings.dataDir });
}

function print(facts: Facts | Facts[], isJson: boolean): void {
  const texts = [facts].flat().map((one) =>
    Object.entries(one)
      .map(([name, value]) => `${name}: ${value ?? "-"}\n`)
      .join(""),
  );
  process.stdout.write(isJson ? `${JSON.stringify(facts)}\n` : texts.join("\n"));
}

main().catch((error: unknown) => {
  if (error instanceof UsageProblem) {
    process.stderr.write(`${error.message}\n\n${HELP}`);
    process.exitCode = 2;
    return;
  }
  const isExpected = error instanceof OperatorProblem || error instanceof SettingsProblem;
  process.stderr.write(`${isExpected ? error.message : String((error as Error).stack ?? error)}\n`);
  process.exitCode = 1;
});
