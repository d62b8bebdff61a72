import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { readConfig } from "../../config.ts";
import { readEncryptionKeys, readSecrets, replaceEncryptionKeys } from "./secrets.ts";

/** Reads a file as soon as it appears, as a second server does. */
const READER = `
  const { readFileSync } = require("node:fs");
  const { parentPort, workerData } = require("node:worker_threads");
  parentPort.postMessage("looking");
  for (;;) {
    try {
      parentPort.postMessage(readFileSync(workerData, "utf8"));
      break;
    } catch {}
  }
`;

/** Reads a file again and again until a message arrives, and returns each content that is no JSON. */
const WATCHER = `
  const { readFileSync } = require("node:fs");
  const { parentPort, receiveMessageOnPort, workerData } = require("node:worker_threads");
  const damaged = [];
  parentPort.postMessage("looking");
  while (!receiveMessageOnPort(parentPort)) {
    try {
      JSON.parse(readFileSync(workerData, "utf8"));
    } catch (error) {
      damaged.push(String(error));
    }
  }
  parentPort.postMessage(damaged);
`;

async function newFolder(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), "alcove-secrets-"));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  return dataDir;
}

async function startWorker(source: string, path: string): Promise<Worker> {
  const worker = new Worker(source, { eval: true, workerData: path });
  onTestFinished(async () => void (await worker.terminate()));
  await once(worker, "message");
  return worker;
}

test.each(["secrets.json", "encryption-keys.json", "vapid.json"])(
  "shows %s complete or not at all while it is generated",
  async (name) => {
    const dataDir = await newFolder();
    const path = join(dataDir, "secrets", name);
    const reader = await startWorker(READER, path);

    const found = once(reader, "message");
    await readSecrets(readConfig({ DATA_DIR: dataDir }));

    expect(await found).toEqual([await readFile(path, "utf8")]);
  },
);

test("gives simultaneous servers of a new folder the same secrets and leaves no other file", async () => {
  const dataDir = await newFolder();
  const config = readConfig({ DATA_DIR: dataDir });

  const read = await Promise.all(Array.from({ length: 50 }, () => readSecrets(config)));

  for (const secrets of read) expect(secrets).toEqual(read[0]);
  expect(await readdir(dataDir)).toEqual(["secrets"]);
  expect((await readdir(join(dataDir, "secrets"))).toSorted()).toEqual([
    "encryption-keys.json",
    "secrets.json",
    "vapid.json",
  ]);
});

test("keeps secrets in SECRETS_DIR and prefers variables", async () => {
  const folder = await newFolder();
  const SECRETS_DIR = join(folder, "elsewhere");
  const env = { DATA_DIR: join(folder, "data"), SECRETS_DIR };
  const generated = await readSecrets(readConfig(env));

  const secrets = await readSecrets(
    readConfig({ ...env, TOKEN_SECRET: "a token secret of mine", SEALING_KEYS: `k7:${"A".repeat(43)}=` }),
  );

  expect(await readdir(folder)).toEqual(["elsewhere"]);
  expect(secrets).toEqual({
    ...generated,
    token: "a token secret of mine",
    encryptionKeys: [{ id: "k7", key: Buffer.alloc(32) }],
  });
});

test("replaces the encryption keys at once and removes drafts of a killed process", async () => {
  const config = readConfig({ DATA_DIR: await newFolder() });
  const { encryptionKeys: old, ...others } = await readSecrets(config);
  const path = join(config.secretsDir, "encryption-keys.json");
  await writeFile(join(config.secretsDir, ".encryption-keys.json.draft-1"), "an old key");
  const watcher = await startWorker(WATCHER, path);

  for (let no = 2; no < 100; no++) {
    const keys = [{ id: `k${no}`, key: Buffer.alloc(32, no) }, ...old];
    await replaceEncryptionKeys(config, keys);
    expect(await readEncryptionKeys(config)).toEqual(keys);
  }
  watcher.postMessage("stop");

  expect(await once(watcher, "message")).toEqual([[]]);
  expect((await readdir(config.secretsDir)).toSorted()).toEqual([
    "encryption-keys.json",
    "secrets.json",
    "vapid.json",
  ]);
  expect(await readSecrets(config)).toMatchObject(others);
});

test.each([
  ["encryption-keys.json", "[]"],
  ["encryption-keys.json", '[{"id":"k1","key":"c2VzYW1l"}]'],
  ["encryption-keys.json", `{"k1":"${"sesame".repeat(8)}"}`],
  [
    "encryption-keys.json",
    `[${Array(2)
      .fill(`{"id":"k1","key":"${"A".repeat(43)}="}`)
      .join(",")}]`,
  ],
  ["secrets.json", '{"token":"sesame-sesame-sesame"}'],
  ["secrets.json", "sesame"],
  ["vapid.json", "{}"],
])("rejects a damaged %s without its content: %s", async (name, text) => {
  const config = readConfig({ DATA_DIR: await newFolder() });
  await readSecrets(config);
  const path = join(config.secretsDir, name);
  await writeFile(path, text);

  const error = await readSecrets(config).catch((error: unknown) => error);

  expect(error).toMatchObject({
    name: "ConfigError",
    message: `DATA_DIR: ${path} is damaged: restore a copy of it.`,
  });
});

test("names SECRETS_DIR when its folder cannot be created", async () => {
  const config = readConfig({ DATA_DIR: await newFolder(), SECRETS_DIR: "/proc/nope" });

  await expect(readSecrets(config)).rejects.toThrow(/^SECRETS_DIR: \/proc\/nope cannot be .*\(ENOENT\)\.$/);
});
