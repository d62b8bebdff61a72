import { existsSync } from "node:fs";
import { join } from "node:path";
import { startDemo } from "./demo/index.ts";
import { SECOND_MS } from "./platform/clock.ts";
import { openLog } from "./platform/log.ts";
import { startPostgres } from "./platform/embedded-postgres/server.ts";
import { startServer } from "./server.ts";
import { readConfig, type Config } from "./config.ts";
import { startError } from "./start-error.ts";

const PAGES_DIR = join(import.meta.dirname, "../../web/build/client");
const CONSOLE_PAGES_DIR = join(import.meta.dirname, "../../web/build/console");
const STOP_TIMEOUT_MS = 20_000;

let config: Config | null = null;

async function main(): Promise<void> {
  const isDemo = process.argv.includes("--demo");
  config = readConfig(isDemo ? { ...process.env, ALCOVE_DEMO: "1" } : process.env);
  const log = openLog(config.logLevel);
  const stops: (() => Promise<void>)[] = [];
  stopOnSignals(stops, (error) => log.error({ err: error }, "stopping failed"));

  const { endpoint, ratio } = config.traces;
  if (endpoint !== null) {
    const { startTracing } = await import("./integrations/opentelemetry/start-tracing.ts");
    stops.unshift(startTracing({ endpoint, ratio, log }));
  }
  const databaseUrl =
    config.databaseUrl ?? (await startEmbeddedPostgres(config, stops, (line) => log.debug(line)));
  const pagesDir = existsSync(PAGES_DIR) ? PAGES_DIR : null;
  if (!pagesDir) log.warn("the web app is not built: only the API is served");
  const service = await startServer({
    config,
    databaseUrl,
    log,
    pagesDir,
    consolePagesDir: CONSOLE_PAGES_DIR,
  });
  stops.unshift(() => service.stop());
  if (isDemo) stops.unshift(await startDemo(service));

  if (service.consoleUrl) process.stdout.write(`The console of operators is at ${service.consoleUrl}\n`);
  process.stdout.write(`${config.brandName} is ready at ${config.publicUrl ?? service.url}\n`);
}

async function startEmbeddedPostgres(
  config: Config,
  stops: (() => Promise<void>)[],
  log: (line: string) => void,
): Promise<string> {
  const postgres = await startPostgres({ dataDir: config.dataDir, log });
  stops.unshift(() => postgres.stop());
  return postgres.url;
}

function stopOnSignals(stops: (() => Promise<void>)[], logFailure: (error: unknown) => void): void {
  let isStopping = false;
  const stop = async () => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS + (config?.drainSeconds ?? 0) * SECOND_MS).unref();
    for (const each of stops) {
      await each().catch((error: unknown) => {
        logFailure(error);
        process.exitCode = 1;
      });
    }
    process.exit();
  };
  process.on("SIGINT", () => void stop());
  process.on("SIGTERM", () => void stop());
  process.on("SIGHUP", () => void stop());
  process.on("disconnect", () => void stop());
}

main().catch((error: unknown) => {
  process.stderr.write(`Alcove could not start.\n${startError(error, config)}\n`);
  process.exitCode = 1;
  if (!process.emit("SIGTERM")) process.exit();
});
