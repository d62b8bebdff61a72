import type { Pool } from "pg";
import { createAuthenticator, createFileTicketRedeemer } from "./accounts/index.ts";
import { hasMet } from "./discovery/index.ts";
import { findMemberId } from "./members/find-member.ts";
import { startConsole, type RunningConsole } from "./operator/index.ts";
import { registerFeatures } from "./modules.ts";
import { openServices } from "./integrations/open-services.ts";
import { deleteOldEmails } from "./integrations/email/outbox.ts";
import { systemClock, type Clock } from "./platform/clock.ts";
import { DomainEvents } from "./platform/domain-events.ts";
import { connect } from "./platform/db/database.ts";
import { openDatabases } from "./platform/db/open-databases.ts";
import type { AppContext } from "./platform/context.ts";
import { drain, SOCKET_CLOSE_TIMEOUT_MS } from "./platform/http/graceful-shutdown.ts";
import { PersonalDataExports } from "./platform/personal-data-exports.ts";
import { RunningTasks } from "./platform/lib/running-tasks.ts";
import { openMembersHttp } from "./platform/http/http-server.ts";
import { Jobs } from "./platform/jobs/jobs.ts";
import { addLostMemberJobs } from "./platform/jobs/member-jobs.ts";
import { Lookups } from "./platform/security/lookups.ts";
import { RateLimits } from "./platform/security/rate-limits.ts";
import type { EventTransport } from "./platform/realtime/envelopes.ts";
import { EventBus } from "./platform/realtime/event-bus.ts";
import { PostgresTransport } from "./platform/realtime/postgres-transport.ts";
import type { Log } from "./platform/log.ts";
import { findMissingOperatorData } from "./platform/operator-details.ts";
import { Metrics } from "./platform/metrics.ts";
import { isCluster } from "./platform/db/cluster.sql.ts";
import { membersPort } from "./platform/http/members-port.ts";
import { Repeats } from "./platform/http/repeats.ts";
import { App } from "./platform/http/router.ts";
import { Turns } from "./platform/http/turns.ts";
import { registerProxy } from "./platform/http/proxy.ts";
import { registerWebApp } from "./platform/http/web-app.ts";
import { openDeletionList } from "./platform/keys/deletion-list.ts";
import type { Encryption } from "./platform/keys/encryption.ts";
import { openKeys } from "./platform/keys/open-keys.ts";
import { findPausedPayments, readDatabaseId } from "./platform/db/restorations.sql.ts";
import { readSecrets } from "./platform/keys/secrets.ts";
import { Sockets } from "./platform/realtime/sockets.ts";
import { registerHealth } from "./platform/http/health.ts";
import { registerAppLinks } from "./platform/http/app-links.ts";
import { registerSecurityTxt } from "./platform/http/security-txt.ts";
import type { Config } from "./config.ts";

export interface RunningServer {
  readonly ctx: AppContext;
  readonly url: string;
  readonly consoleUrl: string | null;
  stop(): Promise<void>;
}

interface ServerOptions {
  config: Config;
  databaseUrl: string;
  log: Log;
  clock?: Clock;
  pagesDir?: string | null;
  consolePagesDir?: string | null;
  poolSize?: number;
  jobsAtOnce?: number;
}

/** Browsers reach the PayPal sandbox below our own URL. */
const SANDBOX_PATH = "/sandbox/paypal";
/** Listening, and the lock of a living worker. */
const WORKER_CONNECTIONS = 2;

export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { config, databaseUrl, log, pagesDir = null, consolePagesDir = null, jobsAtOnce = 4 } = options;
  const { ctx, app, close } = await buildServer(options);
  const { http } = app;
  const workerDatabase = connect(databaseUrl, log, {
    name: "alcove jobs",
    size: jobsAtOnce + WORKER_CONNECTIONS,
  });
  registerHealth(app);
  registerSecurityTxt(app);
  registerAppLinks(app);
  app.registerRoutes();
  if (config.isPayPalSandbox) await registerProxy(http, SANDBOX_PATH, config.paypal!.apiUrl);
  if (pagesDir) await registerWebApp(app, pagesDir);

  let operatorConsole: RunningConsole | null = null;
  const stop = async () => {
    await Promise.all([http.close(), operatorConsole?.close(), ctx.sockets.close(SOCKET_CLOSE_TIMEOUT_MS)]);
    await ctx.jobs.stop();
    await workerDatabase.close();
    await close();
  };
  try {
    await deleteOldEmails(config, ctx.clock.now());
    await ctx.deletionList.begin(await readDatabaseId(ctx.db), ctx.clock.now());
    await ctx.eventBus.open();
    await ctx.jobs.start(workerDatabase.pool, log, jobsAtOnce);
    const missing = findMissingOperatorData(config);
    if (missing.length > 0)
      log.warn(
        { missing: missing.join(", ") },
        "no data of the operator: pages and receipts say so in their place",
      );
    const url = await http.listen({ port: config.port, host: config.host });
    operatorConsole = await startConsole(ctx, consolePagesDir);
    return {
      ctx,
      url,
      consoleUrl: operatorConsole?.url ?? null,
      async stop() {
        await drain(http, config.drainSeconds);
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The operator's programs use it without a server. */
export async function buildServer(options: ServerOptions) {
  const { config, databaseUrl, log, clock = systemClock, poolSize = 20 } = options;
  const secrets = await readSecrets(config);
  const metrics = new Metrics();
  const databases = await openDatabases(databaseUrl, { log, metrics, poolSize });
  const { db, pool } = databases.main;
  const jobs = new Jobs(metrics);
  const opened = await openKeys(databases.keys.db, { config, secrets, clock, log, jobs }).catch(
    async (error: unknown) => {
      await databases.close();
      throw error;
    },
  );
  const { masterKeys, encryption } = opened;

  const paused = await findPausedPayments(db);
  if (paused) {
    log.warn(
      { backupAt: paused.backup_at },
      "payments are paused after a restore, resume them with `npm run operator -- payments release`",
    );
  }
  const { paypal, close: closeServices, ...services } = await openServices(config, { clock, log, metrics });
  const deletionList = openDeletionList(config, services.fileStorage);
  const eventBus = new EventBus(
    await openTransport(config, encryption, pool, databaseUrl, log),
    log,
    metrics,
  );
  const rateLimits = new RateLimits({ db, clock, encryption, isOn: config.hasRateLimits });
  const domainEvents = new DomainEvents();
  const ctx: AppContext = {
    config,
    secrets,
    db,
    searchDb: databases.search.db,
    isCluster: await isCluster(db),
    clock,
    encryption,
    masterKeys,
    deletionList,
    rateLimits,
    turns: new Turns(config),
    lookups: new Lookups({
      rateLimits,
      findMemberId: async (userId) => findMemberId({ db, encryption }, userId),
      hasMet: async (me, other) => hasMet(db, me, other),
    }),
    eventBus,
    sockets: new Sockets(eventBus),
    jobs,
    ...services,
    payments: paused ? null : paypal,
    payoutReader: paypal,
    domainEvents,
    personalDataExports: new PersonalDataExports(),
    runningTasks: new RunningTasks(),
    log,
    metrics,
    ...createAuthenticator({ config, db, clock, encryption, secrets, domainEvents, rateLimits, eventBus }),
    redeemFileTicket: createFileTicketRedeemer({ config, db, clock, encryption }),
  };
  addGauges(ctx, { database: pool, search: databases.search.pool });

  const repeats = new Repeats(ctx);
  const app = new App(ctx, await openMembersHttp(ctx), membersPort(ctx, repeats));
  registerFeatures(app);
  handlePlatformJobs(ctx, repeats);
  return {
    ctx,
    app,
    async close() {
      await ctx.runningTasks.end();
      await eventBus.close();
      closeServices();
      await masterKeys.close();
      await databases.close();
    },
  };
}

/** Follows the features' handlers, which delete rows. */
function handlePlatformJobs(ctx: AppContext, repeats: Repeats): void {
  const { config, clock, deletionList, eventBus } = ctx;
  const { keys } = ctx.encryption;
  ctx.domainEvents.on("database_restored", (tx) => keys.deleteUnused(tx));
  ctx.jobs.handle("sweep_limits", () => ctx.rateLimits.deleteExpired());
  ctx.jobs.handle("sweep_outcomes", () => repeats.deleteExpired());
  ctx.jobs.handle("sweep_outbox", () => deleteOldEmails(config, clock.now()));
  ctx.jobs.handle("add_lost_member_jobs", () => addLostMemberJobs(ctx));
  ctx.jobs.handle("sweep_failed_jobs", () => ctx.jobs.deleteFailed(ctx.db));
  ctx.jobs.handle("list_deletions", ({ keyIds, day }) => deletionList.add(keyIds, day));
  ctx.jobs.handle("sweep_daily_keys", () => keys.destroyOldDailyKeys());
  eventBus.subscribe("member_ended", ({ memberId }) => keys.forget(memberId));
}

async function openTransport(
  { natsUrl }: Config,
  encryption: Encryption,
  pool: Pool,
  databaseUrl: string,
  log: Log,
): Promise<EventTransport> {
  if (natsUrl === null) return new PostgresTransport(pool, databaseUrl, log);
  const { NatsTransport } = await import("./integrations/nats/nats-transport.ts");
  // Deployments that share a NATS server have different secrets, so their subjects differ.
  const deployment = encryption.blindIndex("", "event_bus").toString("hex").slice(0, 32);
  return new NatsTransport(natsUrl, `alcove.events.${deployment}`, log);
}

function addGauges({ metrics, sockets, eventBus, jobs, db }: AppContext, pools: Record<string, Pool>): void {
  metrics.addGauge("alcove_sockets", "Open sockets of members.", () => sockets.count);
  for (const [name, pool] of Object.entries(pools)) {
    metrics.addGauge(`alcove_${name}_connections`, `Connections of the ${name} pool.`, () => pool.totalCount);
    metrics.addGauge(
      `alcove_${name}_waiting`,
      `Statements that wait for a connection of the ${name} pool.`,
      () => pool.waitingCount,
    );
  }
  metrics.addGauge("alcove_event_bus_up", "1 while the event bus is connected.", () =>
    Number(eventBus.isUp()),
  );
  metrics.addGauge("alcove_event_bus_unsent", "Events that are not sent yet.", () => eventBus.unsentCount);
  metrics.addGauges(
    {
      alcove_database_up: "1 while the database responds.",
      alcove_jobs_due: "Jobs whose time has come.",
      alcove_jobs_failed: "Jobs that no retry will run.",
      alcove_jobs_delay_seconds: "Age of the oldest due job.",
    },
    async () => {
      const queue = await jobs.readQueue(db).catch(() => null);
      return {
        alcove_database_up: queue ? 1 : 0,
        alcove_jobs_due: queue?.due ?? NaN,
        alcove_jobs_failed: queue?.failed ?? NaN,
        alcove_jobs_delay_seconds: queue?.delaySeconds ?? NaN,
      };
    },
  );
}
