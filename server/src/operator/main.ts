import { openLog } from "../platform/log.ts";
import { runningPostgresUrl, startPostgres } from "../platform/postgres.ts";
import type { Deps } from "../platform/deps.ts";
import { buildService } from "../service.ts";
import { readSettings, SettingsProblem, type Settings } from "../settings.ts";
import {
  type Command,
  HELP,
  type MemberAct,
  type MemberCommand,
  readCommand,
  UsageProblem,
} from "./command-line.ts";
import { grant, type MemberFacts, OperatorProblem, remove, restore, show, suspend } from "./members.ts";
import { list, resolve } from "./reports.ts";

const POOL_SIZE = 2;

async function main(): Promise<void> {
  const command = readCommand(process.argv.slice(2));
  if (!command) return void process.stdout.write(HELP);

  const settings = readSettings(process.env);
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
      print(await carryOut(deps, command), command.isJson);
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

const memberActs: Record<MemberAct, (deps: Deps, command: MemberCommand) => Promise<MemberFacts>> = {
  show: (deps, { userId }) => show(deps, userId),
  grant: (deps, command) => grant(deps, command.userId, command),
  suspend: (deps, { userId, reason }) => suspend(deps, userId, reason),
  restore: (deps, { userId, reason }) => restore(deps, userId, reason),
  delete: (deps, { userId, reason }) => remove(deps, userId, reason),
};

/** What there is to tell of one thing, name by name. */
type Facts = Readonly<Record<string, string | null>>;

async function carryOut(deps: Deps, command: Command): Promise<Facts | Facts[]> {
  if (command.group === "members") return { ...(await memberActs[command.act](deps, command)) };
  const { reportId, reason } = command;
  return reportId === null ? list(deps, reason) : resolve(deps, reportId, reason);
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
