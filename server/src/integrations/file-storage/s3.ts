import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { SECOND_MS } from "../../platform/clock.ts";
import { assertKey, type FileStorage } from "./file-storage.ts";

export interface Bucket {
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** `totalMs` limits all attempts together, because a member's request waits for them. */
const TIMEOUTS = { connectMs: 3 * SECOND_MS, responseMs: 8 * SECOND_MS, totalMs: 20 * SECOND_MS };
const MAX_ATTEMPTS = 3;

export function createS3Storage(options: Bucket, timeouts: Partial<typeof TIMEOUTS> = {}): FileStorage {
  const { connectMs, responseMs, totalMs } = { ...TIMEOUTS, ...timeouts };
  const { endpoint, bucket: Bucket, region, accessKeyId, secretAccessKey } = options;
  const client = new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    // Services other than Amazon's need paths, and support fewer checksums.
    forcePathStyle: true,
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    maxAttempts: MAX_ATTEMPTS,
    requestHandler: {
      connectionTimeout: connectMs,
      requestTimeout: responseMs,
      throwOnRequestTimeout: true,
      socketTimeout: responseMs,
    },
  });
  const withTimeout = () => ({ abortSignal: AbortSignal.timeout(totalMs) });
  return {
    async put(Key, bytes) {
      assertKey(Key);
      const ContentType = "application/octet-stream";
      await client.send(new PutObjectCommand({ Bucket, Key, Body: bytes, ContentType }), withTimeout());
    },
    async get(Key) {
      assertKey(Key);
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }), withTimeout());
        return Body ? Buffer.from(await Body.transformToByteArray()) : null;
      } catch (error) {
        if (error instanceof NoSuchKey) return null;
        throw error;
      }
    },
    async remove(Key) {
      assertKey(Key);
      await client.send(new DeleteObjectCommand({ Bucket, Key }), withTimeout());
    },
    async list(after, limit) {
      const page = { Bucket, MaxKeys: limit, ...(after === null ? {} : { StartAfter: after }) };
      const { Contents = [] } = await client.send(new ListObjectsV2Command(page), withTimeout());
      return Contents.map(({ Key, LastModified }) => ({ key: Key!, writtenAt: LastModified! }));
    },
    close: () => client.destroy(),
  };
}
