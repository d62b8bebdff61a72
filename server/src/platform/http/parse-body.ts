import { fieldName } from "@alcove/contract/field-name";
import type { FastifyRequest } from "fastify";
import { IMAGE_MAX_BYTES } from "@alcove/contract/limits";
import { SECOND_MS } from "../clock.ts";
import { ApiError } from "../errors.ts";
import { endStalled } from "./client-error.ts";
import type { FormMemory } from "./upload-memory.ts";

const TOO_LARGE = new Set(["FST_PARTS_LIMIT", "FST_FILES_LIMIT", "FST_FIELDS_LIMIT"]);

export const MULTIPART_LIMITS = {
  fieldNameSize: 200,
  fieldSize: 64 * 1024,
  fields: 100,
  fileSize: IMAGE_MAX_BYTES,
  files: 4,
  parts: 104,
  headerPairs: 40,
};

/** Of JSON, and of all fields of a form together. */
export const BODY_LIMIT_BYTES = 256 * 1024;
const STALL_MS = 20 * SECOND_MS;

type Fields = Record<string, unknown>;

export interface Taken {
  readonly fields: ReadonlySet<string>;
  readonly objectFields: ReadonlySet<string>;
}

export interface FileReading {
  readonly fileFields: ReadonlySet<string>;
  /** Their calls reject a file of this size with an error of their own, so that a cut one is enough. */
  readonly cutFields: ReadonlySet<string>;
  readonly memory: FormMemory;
  /** Runs before the first file, and waits for a place. Returns whether the sender is known. */
  readonly admit: (fields: Fields) => Promise<boolean>;
}

/**
 * Keeps only the files in `fileFields`, one of each, and the last value of a repeated field. Without `files`, a form's
 * files are skipped. Frees what no call takes: a request may wait, and 256 kB of JSON may be 7 MB of objects.
 */
export async function readBody(
  request: FastifyRequest,
  taken: Taken,
  files: FileReading | null,
): Promise<Fields> {
  const query = lastOfEach(request.query as Fields);
  if (isMultipart(request)) return { ...query, ...(await readMultipart(request, files)) };

  const body = request.body ?? {};
  if (typeof body !== "object" || Array.isArray(body)) throw new ApiError("malformed_request");
  request.body = undefined;
  return { ...query, ...keepTaken(body as Fields, taken) };
}

function keepTaken(body: Fields, { fields, objectFields }: Taken): Fields {
  const known = Object.entries(body).filter(([name]) => fields.has(name));
  return Object.fromEntries(
    // An empty list is as invalid as the value.
    known.map(([name, value]) => [name, isObject(value) && !objectFields.has(name) ? [] : value]),
  );
}

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null;

/** A port without uploads rejects other content types than JSON. */
export const isMultipart = (request: FastifyRequest): boolean =>
  request.server.hasRequestDecorator("isMultipart") && request.isMultipart();

function lastOfEach(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, Array.isArray(value) ? value.at(-1) : value]),
  );
}

/** An error of `admit`, unlike those of a broken form. */
class AdmissionError extends Error {}

async function readMultipart(request: FastifyRequest, reading: FileReading | null): Promise<Fields> {
  const { raw } = request;
  raw.setTimeout(STALL_MS, () => endStalled(raw.socket));
  try {
    return await readParts(request, reading);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    if (error instanceof AdmissionError) throw error.cause;
    throw new ApiError(
      TOO_LARGE.has((error as { code?: string }).code ?? "") ? "too_large" : "malformed_request",
    );
  } finally {
    raw.setTimeout(0);
  }
}

/** A form that waits unread does not stall. */
async function admit({ raw }: FastifyRequest, reading: FileReading, before: Fields): Promise<boolean> {
  raw.setTimeout(0);
  try {
    return await reading.admit(before);
  } catch (cause) {
    throw new AdmissionError("not admitted", { cause });
  } finally {
    raw.setTimeout(STALL_MS);
  }
}

async function readParts(request: FastifyRequest, reading: FileReading | null): Promise<Fields> {
  const fields = new Map<string, unknown>();
  const files = new Map<string, Buffer[]>();
  let fieldLength = 0;
  let isKnown: boolean | null = null;
  for await (const part of request.parts()) {
    if (!part.fieldname) throw new ApiError("malformed_request");
    if (part.type === "field") {
      fieldLength += String(part.value).length;
      if (part.valueTruncated || fieldLength > BODY_LIMIT_BYTES) throw new ApiError("too_large");
      fields.set(part.fieldname, part.value);
    } else if (!reading?.fileFields.has(part.fieldname)) {
      part.file.resume();
    } else {
      if (files.has(part.fieldname)) throw new ApiError("too_large");
      isKnown ??= await admit(request, reading, Object.fromEntries(fields));
      const chunks: Buffer[] = [];
      for await (const chunk of part.file as AsyncIterable<Buffer>) {
        reading.memory.take(chunk.length, isKnown);
        chunks.push(chunk);
      }
      if (part.file.truncated && !reading.cutFields.has(part.fieldname))
        throw new ApiError("too_large", { errors: { [fieldName(part.fieldname)]: ["image_too_large"] } });
      if (chunks.length > 0 || part.filename) files.set(part.fieldname, chunks);
    }
  }
  // Only now, because each file copies its bytes.
  for (const [name, chunks] of files) fields.set(name, new File(chunks, "upload"));
  return Object.fromEntries(fields);
}
