import { join } from "node:path";
import type { Pool } from "pg";
import { makeAuthenticate, makeRedeemFileTicket } from "./accounts/index.ts";
import { mountFeatures } from "./modules.ts";
import { openFaces } from "./integrations/face-detection/face-detector.ts";
import { openMail } from "./integrations/email/mailer.ts";
import { openPayPal } from "./integrations/paypal/paypal.ts";
import { SANDBOX_PATH, sandboxAccount } from "./integrations/paypal/paypal-sandbox.ts";
import { SECOND_MS, systemClock, type Clock } from "./platform/clock.ts";
import { ConsequenceTable } from "./platform/domain-events.ts";
import { connect } from "./platform/db/database.ts";
import type { Deps } from "./platform/context.ts";
import { SOCKET_GOODBYE_MS } from "./platform/http/graceful-shutdown.ts";
import { noFaces } from "./integrations/face-detection/face-detection.ts";
import { ExportTable } from "./platform/personal-data-exports.ts";
import { folderStore, type FileStore } from "./integrations/file-storage/file-storage.ts";
import { openFolder } from "./platform/lib/private-folder.ts";
import { openHttp } from "./platform/http/http-server.ts";
import { Jobs } from "./platform/jobs/jobs.ts";
import { Limits } from "./platform/security/rate-limits.ts";
import { Live, PostgresBus, type LiveBus } from "./platform/realtime/event-bus.ts";
import type { Log } from "./platform/log.ts";
import { Metrics } from "./platform/metrics.ts";
import { migrate } from "./platform/db/migrate.ts";
import { App } from "./platform/http/router.ts";
import type { Payments } from "./integrations/paypal/payments.ts";
import { passThrough } from "./platform/http/proxy.ts";
import { pageRoutes } from "./platform/http/web-app.ts";
import { makeSealing, type Sealing } from "./platform/security/encryption.ts";
import { findPaymentsHeld } from "./platform/db/restorations.sql.ts";
import { readSecrets } from "./platform/security/secrets.ts";
import { Sockets } from "./platform/realtime/sockets.ts";
import { statusRoutes } from "./platform/http/health.ts";
import type { Settings } from "./config.ts";

/** A running server. */
export interface Service {
  readonly deps: Deps;
  /** Where it listens, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Lets running requests end, says goodbye to sockets, finishes running jobs, then closes everything. */
  stop(): Promise<void>;
}

interface Parts {
  settings: Settings;
  databaseUrl: string;
  log: Log;
  clock?: Clock;
  /** The built web app; without it only the API is served. */
  pagesDir?: string | null;
  /** Where the PayPal sandbox listens, to be passed on to. */
  sandboxOrigin?: string | null;
  poolSize?: number;
}

const WORKER_CONNECTIONS = 6;
/** However many search at once, the others find connections: searches wait for each other alone. */
const SEARCH_CONNECTIONS = 6;
const SEARCH_STATEMENT_MS = SECOND_MS;

/** Builds the parts of the server, brings the database up to date, and listens. */
export async function startService(parts: Parts): Promise<Service> {
  const { settings, databaseUrl, log, pagesDir = null, sandboxOrigin = null } = parts;
  const { deps, app, metrics, close } = await buildService(parts);
  const { http } = app;
  const workerDatabase = connect(databaseUrl, log, { size: WORKER_CONNECTIONS });
  statusRoutes(app, metrics);
  app.register();
  if (sandboxOrigin) await passThrough(http, SANDBOX_PATH, sandboxOrigin);
  if (pagesDir) await pageRoutes(app, pagesDir);

  const stop = async () => {
    await Promise.all([http.close(), deps.sockets.close(SOCKET_GOODBYE_MS)]);
    await deps.jobs.stop();
    await workerDatabase.close();
    await close();
  };
  try {
    await deps.live.open();
    await deps.jobs.start(workerDatabase.pool, log);
    const url = await http.listen({ port: settings.port, host: settings.host });
    return { deps, url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Builds the parts with all features and brings the database up to date, but neither listens nor does jobs: for a
 * program beside the server, such as the operator's.
 */
export async function buildService(parts: Parts) {
  const { settings, databaseUrl, log, clock = systemClock, poolSize = 20 } = parts;
  const secrets = await readSecrets(settings);
  const database = connect(databaseUrl, log, { size: poolSize });
  await migrate(database, log);

  const held = await findPaymentsHeld(database.db);
  if (held) {
    log.warn(
      { backupAt: held.backup_at },
      "this database was restored from a backup, and payments rest: `npm run operator -- payments release` ends that",
    );
  }
  const metrics = new Metrics();
  const searchDatabase = connect(databaseUrl, log, {
    size: SEARCH_CONNECTIONS,
    statementMs: SEARCH_STATEMENT_MS,
  });
  const sealing = makeSealing(secrets.sealingKeys, secrets.pepper);
  const live = new Live(await makeBus(settings, sealing, database.pool, databaseUrl, log), log);
  const sockets = new Sockets(live);
  const files = await openFiles(settings);
  const payments = openPayments(settings, log, clock);
  const deps: Deps = {
    settings,
    secrets,
    db: database.db,
    searchDb: searchDatabase.db,
    clock,
    sealing,
    limits: new Limits({ db: database.db, clock, sealing, isOn: settings.hasRateLimits }),
    live,
    sockets,
    jobs: new Jobs(),
    files,
    faces: settings.faceDetection ? openFaces(log) : noFaces,
    mail: await openMail(settings, log, metrics),
    payments: held ? null : payments,
    pastPayouts: payments,
    consequences: new ConsequenceTable(),
    exports: new ExportTable(),
    log,
    ...makeAuthenticate({ db: database.db, clock, secrets }),
    redeemFileTicket: makeRedeemFileTicket({ db: database.db, clock }),
  };
  metrics.watch("alcove_sockets", "Open sockets of members.", () => sockets.count);
  metrics.watch("alcove_database_connections", "Connections of the pool.", () => database.pool.totalCount);
  metrics.watch(
    "alcove_database_waiting",
    "Requests that wait for a connection.",
    () => database.pool.waitingCount,
  );
  metrics.watch(
    "alcove_searches_waiting",
    "Statements of searches that wait for a connection.",
    () => searchDatabase.pool.waitingCount,
  );

  const app = new App(deps, await openHttp(settings, log, metrics), metrics);
  mountFeatures(app);
  deps.jobs.handleEvery("*/10 * * * *", "sweep_limits", () => deps.limits.sweep());
  return {
    deps,
    app,
    metrics,
    async close() {
      await live.close();
      deps.mail.close();
      files.close();
      deps.faces.close();
      await searchDatabase.close();
      await database.close();
    },
  };
}

/** The folder of pictures or, where one is named, the bucket: only then is its library loaded. */
async function openFiles({ s3, dataDir }: Settings): Promise<FileStore> {
  if (!s3) {
    const folder = join(dataDir, "media");
    await openFolder(folder);
    return folderStore(folder);
  }
  const { s3Store } = await import("./integrations/file-storage/s3.ts");
  return s3Store(s3);
}

/** Our account at PayPal, else the one at the sandbox that runs beside us; null where buying is switched off. */
function openPayments(settings: Settings, log: Log, clock: Clock): Payments | null {
  const account = settings.paypal ?? sandboxAccount(settings);
  return account ? openPayPal({ account, statementText: settings.statementText, clock, log }) : null;
}

/** The database's own notifications or, where one is named, a NATS server: only then is its library loaded. */
async function makeBus(
  { natsUrl }: Settings,
  sealing: Sealing,
  pool: Pool,
  databaseUrl: string,
  log: Log,
): Promise<LiveBus> {
  if (natsUrl === null) return new PostgresBus(pool, databaseUrl, log);
  const { NatsBus } = await import("./integrations/nats/nats-transport.ts");
  // Deployments that share a server have secrets of their own, and so a subject of their own.
  const deployment = sealing.blindIndex("", "live bus").toString("hex").slice(0, 32);
  return new NatsBus(natsUrl, `alcove.live.${deployment}`, log);
}
