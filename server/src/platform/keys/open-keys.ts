import type { Config } from "../../config.ts";
import type { Clock } from "../clock.ts";
import type { Db } from "../db/database.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { Log } from "../log.ts";
import { DataKeys } from "./data-keys.ts";
import { createBlindIndex, Encryption } from "./encryption.ts";
import { MasterKeys } from "./master-keys.ts";
import { placeOfEncryptionKeys, readEncryptionKeys, type Secrets } from "./secrets.ts";

export async function openKeys(
  db: Db,
  parts: { config: Config; secrets: Secrets; clock: Clock; log: Log; jobs: Jobs },
): Promise<{ masterKeys: MasterKeys; encryption: Encryption }> {
  const { config, secrets, clock, log, jobs } = parts;
  const blindIndex = createBlindIndex(secrets.pepper);
  const masterKeys = await MasterKeys.open({
    db,
    clock,
    log,
    readKeys: () => readEncryptionKeys(config),
    place: placeOfEncryptionKeys(config),
    proof: blindIndex("", "master keys"),
  });
  return { masterKeys, encryption: new Encryption(new DataKeys(db, clock, masterKeys, jobs), blindIndex) };
}
