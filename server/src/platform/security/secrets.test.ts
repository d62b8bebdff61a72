import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { readConfig } from "../../config.ts";
import { readSecrets } from "./secrets.ts";

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

async function newFolder(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), "alcove-secrets-"));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  return dataDir;
}

test("shows all secrets or none while they are generated", async () => {
  const dataDir = await newFolder();
  const path = join(dataDir, "secrets.json");
  const reader = new Worker(READER, { eval: true, workerData: path });
  onTestFinished(async () => void (await reader.terminate()));
  await once(reader, "message");

  const found = once(reader, "message");
  await readSecrets(readConfig({ DATA_DIR: dataDir }));

  expect(await found).toEqual([await readFile(path, "utf8")]);
});

test("gives simultaneous servers of a new folder the same secrets and leaves no other file", async () => {
  const dataDir = await newFolder();
  const config = readConfig({ DATA_DIR: dataDir });

  const read = await Promise.all(Array.from({ length: 50 }, () => readSecrets(config)));

  for (const secrets of read) expect(secrets).toEqual(read[0]);
  expect(await readdir(dataDir)).toEqual(["secrets.json", "vapid.json"]);
});
