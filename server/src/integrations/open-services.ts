import { join } from "node:path";
import type { Config } from "../config.ts";
import type { Clock } from "../platform/clock.ts";
import { openPrivateFolder } from "../platform/lib/private-folder.ts";
import type { Log } from "../platform/log.ts";
import type { Metrics } from "../platform/metrics.ts";
import { openMailer } from "./email/mailer.ts";
import { noFaceDetector } from "./face-detection/face-detection.ts";
import { createFaceDetector } from "./face-detection/face-detector.ts";
import { createFolderStorage, watchHealth, type FileStorage } from "./file-storage/file-storage.ts";
import { createPayPal } from "./paypal/paypal.ts";

export async function openServices(
  config: Config,
  { clock, log, metrics }: { clock: Clock; log: Log; metrics: Metrics },
) {
  const { paypal: account, statementText } = config;
  const recordHealth = (isUp: boolean) => metrics.recordDependency("paypal", isUp);
  const fileStorage = watchHealth(await openFileStorage(config), (isUp) =>
    metrics.recordDependency("pictures", isUp),
  );
  const faceDetector = config.faceDetection ? createFaceDetector(log) : noFaceDetector;
  const mailer = await openMailer(config, log, metrics);
  return {
    fileStorage,
    faceDetector,
    mailer,
    paypal: account ? createPayPal({ account, statementText, clock, log, recordHealth }) : null,
    close() {
      mailer.close();
      fileStorage.close();
      faceDetector.close();
    },
  };
}

async function openFileStorage({ s3, dataDir }: Config): Promise<FileStorage> {
  if (!s3) {
    const folder = join(dataDir, "media");
    await openPrivateFolder(folder);
    return createFolderStorage(folder);
  }
  const { createS3Storage } = await import("./file-storage/s3.ts");
  return createS3Storage(s3);
}
