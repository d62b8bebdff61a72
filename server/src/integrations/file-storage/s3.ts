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

/** Where a bucket is and who may use it. */
export interface Bucket {
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** A store that does not answer must not hold a request of a member: three tries, and together no longer than `wholeMs`. */
const LIMITS = { connectMs: 3 * SECOND_MS, answerMs: 8 * SECOND_MS, wholeMs: 20 * SECOND_MS };
const TRIES = 3;

/**
 * Keeps media in a bucket of anything that speaks S3. An object appears whole or not at all, and what is sent is sealed
 * already, so that its owner reads nothing. Every failure is thrown after the last try.
 */
export function createS3Storage(where: Bucket, rateLimits: Partial<typeof LIMITS> = {}): FileStorage {
  const { connectMs, answerMs, wholeMs } = { ...LIMITS, ...rateLimits };
  const { endpoint, bucket: Bucket, region, accessKeyId, secretAccessKey } = where;
  const client = new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    // Stores that are not Amazon's know buckets by path, and not every kind of checksum.
    forcePathStyle: true,
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    maxAttempts: TRIES,
    requestHandler: {
      connectionTimeout: connectMs,
      requestTimeout: answerMs,
      throwOnRequestTimeout: true,
      socketTimeout: answerMs,
    },
  });
  const soon = () => ({ abortSignal: AbortSignal.timeout(wholeMs) });
  return {
    async put(Key, bytes) {
      assertKey(Key);
      const ContentType = "application/octet-stream";
      await client.send(new PutObjectCommand({ Bucket, Key, Body: bytes, ContentType }), soon());
    },
    async get(Key) {
      assertKey(Key);
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }), soon());
        return Body ? Buffer.from(await Body.transformToByteArray()) : null;
      } catch (error) {
        if (error instanceof NoSuchKey) return null;
        throw error;
      }
    },
    async remove(Key) {
      assertKey(Key);
      await client.send(new DeleteObjectCommand({ Bucket, Key }), soon());
    },
    async list(after, limit) {
      const page = { Bucket, MaxKeys: limit, ...(after === null ? {} : { StartAfter: after }) };
      const { Contents = [] } = await client.send(new ListObjectsV2Command(page), soon());
      return Contents.map(({ Key, LastModified }) => ({ key: Key!, writtenAt: LastModified! }));
    },
    close: () => client.destroy(),
  };
}
