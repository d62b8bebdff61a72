import type { FastifyRequest } from "fastify";
import { IMAGE_MAX_BYTES } from "@alcove/contract/limits";
import { ApiError } from "../errors.ts";

const TOO_LARGE = new Set([
  "FST_REQ_FILE_TOO_LARGE",
  "FST_PARTS_LIMIT",
  "FST_FILES_LIMIT",
  "FST_FIELDS_LIMIT",
]);

export const MULTIPART_LIMITS = {
  fieldNameSize: 200,
  fieldSize: 64 * 1024,
  fields: 100,
  fileSize: IMAGE_MAX_BYTES,
  files: 4,
  parts: 104,
  headerPairs: 40,
};

export const BODY_LIMIT_BYTES = 256 * 1024;

/** Keeps only the files in `fileFields`, and the last value of a repeated field. */
export async function readBody(
  request: FastifyRequest,
  fileFields: ReadonlySet<string>,
): Promise<Record<string, unknown>> {
  const query = lastOfEach(request.query as Record<string, unknown>);
  if (isMultipart(request)) return { ...query, ...(await readMultipart(request, fileFields)) };

  const body = request.body ?? {};
  if (typeof body !== "object" || Array.isArray(body)) throw new ApiError("malformed_request");
  return { ...query, ...body };
}

/** A port without uploads rejects other content types than JSON. */
export const isMultipart = (request: FastifyRequest): boolean =>
  request.server.hasRequestDecorator("isMultipart") && request.isMultipart();

function lastOfEach(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, Array.isArray(value) ? value.at(-1) : value]),
  );
}

async function readMultipart(request: FastifyRequest, fileFields: ReadonlySet<string>) {
  const fields = new Map<string, unknown>();
  try {
    for await (const part of request.parts()) {
      if (!part.fieldname) throw new ApiError("malformed_request");
      if (part.type === "field") {
        if (part.valueTruncated) throw new ApiError("too_large");
        fields.set(part.fieldname, part.value);
      } else if (fileFields.has(part.fieldname)) {
        const bytes = await part.toBuffer();
        if (bytes.length > 0 || part.filename)
          fields.set(part.fieldname, new File([new Uint8Array(bytes)], "upload"));
      } else {
        part.file.resume();
      }
    }
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError(
      TOO_LARGE.has((error as { code?: string }).code ?? "") ? "too_large" : "malformed_request",
    );
  }
  return Object.fromEntries(fields);
}
