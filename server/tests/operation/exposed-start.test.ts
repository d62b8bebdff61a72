import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { behindProxy, StartError, startServer, type ServerProcess } from "@alcove/test-services/server";
import { operator } from "../../src/testing/operator.ts";
import { readFiles } from "../../src/testing/data-traces.ts";

// A start creates a whole database on a busy machine.
vi.setConfig({ testTimeout: 90_000 });

const SECRETS = {
  TOKEN_SECRET: "token-secret-of-a-test",
  MEDIA_SECRET: "media-secret-of-a-test",
  SEALING_KEYS: `k1:${"A".repeat(43)}=`,
  PASSWORD_PEPPER: "pepper-secret-of-a-test",
  VAPID_PUBLIC_KEY: Buffer.alloc(65, 4).toString("base64url"),
  VAPID_PRIVATE_KEY: Buffer.alloc(32, 1).toString("base64url"),
};

let folder: string;
let dataDir: string;
/** Outside of the data folder. */
let secretsDir: string;
const started: ServerProcess[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "alcove-exposed-"));
  dataDir = join(folder, "data");
  secretsDir = join(folder, "secrets");
});

afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.stop("SIGKILL")));
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

async function start(variables: Record<string, string>): Promise<ServerProcess> {
  const server = await startServer({ DATA_DIR: dataDir, BOT_CHECK: "off", ...variables });
  started.push(server);
  return server;
}

/** The problems that the server's settings have, as the operator's command line names them. */
async function problemsOf(variables: Record<string, string>): Promise<string[]> {
  const env = { DATA_DIR: dataDir, BOT_CHECK: "off", ...variables };
  const { code, problems } = await operator(env, "members", "show", "nobody");
  expect(code).toBe(1);
  return problems.trimEnd().split("\n");
}

test.each([
  ["TRUST_PROXY=on", { TRUST_PROXY: "on" }],
  ["HOST=0.0.0.0", { HOST: "0.0.0.0" }],
])("names everything that is missing at once, before any change, with %s", async (cause, variables) => {
  const problems = await problemsOf({ ...variables, PORT: "http" });

  expect(problems).toHaveLength(4);
  expect(problems).toContainEqual(expect.stringMatching(/^PORT must be a whole number/));
  for (const name of ["SECRETS_DIR", "SMTP_URL", "PUBLIC_URL"]) {
    expect(problems).toContainEqual(
      expect.stringMatching(`^${name} is needed with ${cause}: set it to .*\\.$`),
    );
  }
  expect(existsSync(dataDir)).toBe(false);
});

test("the server names the same problems and ends", async () => {
  const outcome = await start({ TRUST_PROXY: "on" }).catch((error: unknown) => error);

  expect(outcome).toBeInstanceOf(StartError);
  const { output, ending } = outcome as StartError;
  expect(ending).toEqual({ code: 1, signal: null });
  const [, problems = ""] = output.split("could not start.\n");
  expect(problems.trimEnd().split("\n")).toEqual(await problemsOf({ TRUST_PROXY: "on" }));
});

test("keeps generated secrets out of the data folder behind a proxy", { tags: "long" }, async () => {
  const server = await start(await behindProxy(secretsDir));

  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  expect((await readdir(secretsDir)).toSorted()).toEqual([
    "deletions",
    "encryption-keys.json",
    "secrets.json",
    "vapid.json",
  ]);
  const texts = (await readFiles(secretsDir)).map(({ bytes }) => bytes[0]!.toString());
  const secrets = Array.from(texts.join().matchAll(/"([^"]{32,})"/g), ([, secret]) => secret!);
  expect(secrets).toHaveLength(6);
  await server.stop();
  const copies = (await readFiles(dataDir)).filter(({ bytes }) =>
    secrets.some((secret) => bytes[0]!.includes(secret)),
  );
  expect(copies).toEqual([]);
});

test(
  "starts behind a proxy when all secrets are variables, and warns once of missing data of the operator",
  { tags: "long" },
  async () => {
    const { SECRETS_DIR: _, ...proxied } = await behindProxy(secretsDir);

    const server = await start({ ...proxied, ...SECRETS });

    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    // The list of deletions is no secret.
    expect(await readdir(join(dataDir, "secrets"))).toEqual(["deletions"]);
    expect(server.output().match(/^\{"level":40.*OPERATOR.*$/gm)).toEqual([
      expect.stringContaining("OPERATOR_NAME, OPERATOR_ADDRESS, OPERATOR_PHONE"),
    ]);
  },
);

test.each([
  ["the data folder", () => dataDir],
  ["a folder in it", () => join(dataDir, "keys")],
  ["a folder in it by a detour", () => `${dataDir}/../data/x`],
  ["a link to a folder in it", async () => linkTo(join(dataDir, "x"))],
  ["a folder behind a link to it", async () => join(await linkTo(dataDir), "x")],
])("rejects secrets behind a proxy in %s", async (_, findPath) => {
  const proxied = await behindProxy(await findPath());

  const problems = await problemsOf(proxied);

  expect(problems).toEqual([
    "SECRETS_DIR is inside DATA_DIR: with TRUST_PROXY=on, set it to a folder outside of DATA_DIR.",
  ]);
});

test("rejects secrets in a data folder that is a link, and accepts a neighbour with a similar name", async () => {
  await mkdir(join(folder, "real"));
  const DATA_DIR = await linkTo(join(folder, "real"));
  const inside = await behindProxy(join(folder, "real/keys"));
  const beside = await behindProxy(join(folder, "real-keys"));

  expect(await problemsOf({ ...inside, DATA_DIR })).toEqual([
    expect.stringMatching(/^SECRETS_DIR is inside DATA_DIR/),
  ]);
  expect(await problemsOf({ ...beside, DATA_DIR })).toEqual(['There is no member "nobody".']);
});

test("rejects secrets that a start on loopback left in the data folder", { tags: "long" }, async () => {
  await (await start({})).stop();
  await cp(join(dataDir, "secrets"), secretsDir, { recursive: true });
  const proxied = await behindProxy(secretsDir);

  const problems = await problemsOf(proxied);
  await rm(join(dataDir, "secrets"), { recursive: true });
  const server = await start(proxied);

  const [problem, ...more] = problems;
  expect(more).toEqual([]);
  expect(problem).toMatch(/^DATA_DIR contains secrets: with TRUST_PROXY=on, move .* outside of it\.$/);
  for (const name of ["secrets.json", "encryption-keys.json", "vapid.json"])
    expect(problem).toContain(join(dataDir, "secrets", name));
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
});

/** Its target need not exist. */
async function linkTo(target: string): Promise<string> {
  const link = join(folder, "link");
  await symlink(target, link);
  return link;
}
