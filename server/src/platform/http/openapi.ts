import * as z from "zod/mini";
import { calls, errors, IDEMPOTENCY_KEY, type Call } from "@alcove/contract";
import { languages } from "@alcove/i18n";

type Json = Record<string, unknown>;

export function openApi(title: string): Json {
  const paths: Record<string, Json> = {};
  for (const group of Map.groupBy(calls, (call) => `${call.method} ${call.path}`).values()) {
    const { method, path } = group[0]!;
    (paths[`/{lang}${path}`] ??= {})[method.toLowerCase()] = operation(group);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: `${title} API`,
      version: "1",
      description: "Every call also works without the language segment.",
    },
    paths,
    components: {
      securitySchemes: { session: { type: "http", scheme: "bearer" } },
      schemas: {
        Refusal: {
          type: "object",
          required: ["code", "error_message"],
          properties: {
            code: { type: "string", enum: [...Object.keys(errors), "fault"] },
            error_message: { type: "string" },
            validation_errors: {
              type: "object",
              additionalProperties: { type: "array", items: { type: "string" } },
            },
          },
        },
      },
    },
  };
}

function operation(group: Call[]): Json {
  const [first] = group;
  const { method, access } = first!;
  const inputs = group.map((call) => schemaOf(call.input, "input"));
  const isQuery = method === "GET";
  return {
    operationId: first!.name,
    summary: group.map((call) => call.summary).join(" / "),
    security: access === "member" ? [{ session: [] }] : [],
    parameters: [
      { name: "lang", in: "path", required: true, schema: { type: "string", enum: languages } },
      ...(isQuery ? queryParameters(inputs[0]!) : [KEY_HEADER]),
    ],
    ...(isQuery || inputs.every((input) => Object.keys((input["properties"] as Json) ?? {}).length === 0)
      ? {}
      : { requestBody: { content: bodies(inputs) } }),
    responses: { ...responses(group), ...errorResponses(group) },
  };
}

function schemaOf(type: z.core.$ZodType, io: "input" | "output"): Json {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io, unrepresentable: "any" }) as Json;
  return schema;
}

function queryParameters(input: Json): Json[] {
  const required = (input["required"] as string[] | undefined) ?? [];
  return Object.entries((input["properties"] as Json) ?? {}).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema,
  }));
}

function bodies(inputs: Json[]): Json {
  const schema = inputs.length === 1 ? inputs[0] : { anyOf: inputs };
  const forms = ["multipart/form-data", "application/x-www-form-urlencoded", "application/json"];
  const sendsFile = JSON.stringify(schema).includes('"format":"binary"');
  return Object.fromEntries(
    (sendsFile && inputs.length === 1 ? forms.slice(0, 1) : forms).map((form) => [form, { schema }]),
  );
}

function responses(group: Call[]): Json {
  return Object.fromEntries(
    [...Map.groupBy(group, (call) => (call.response === null && !call.file ? 204 : call.status))].map(
      ([status, same]) => {
        const file = same[0]!.file;
        const schemas = same.flatMap((call) =>
          call.response === null ? [] : [schemaOf(call.response, "output")],
        );
        const schema = schemas.length === 1 ? schemas[0] : { anyOf: schemas };
        if (file) {
          const schema = { type: "string", format: "binary" };
          return [status, { description: file.name, content: { [file.type]: { schema } } }];
        }
        const content = schemas.length === 0 ? {} : { content: { "application/json": { schema } } };
        return [status, { description: same.map((call) => call.name).join(", "), ...content }];
      },
    ),
  );
}

function errorResponses(group: Call[]): Json {
  const codes = new Set(group.flatMap((call) => call.errors)).add("too_many_requests");
  if (group[0]!.method !== "GET") for (const code of KEY_ERRORS) codes.add(code);
  if (group[0]!.access === "member") codes.add("login_required").add("token_expired");
  if (group.some(({ access, withoutConsent }) => access === "member" && !withoutConsent))
    codes.add("consent_required");
  if (group.some(({ needsAgeCheck }) => needsAgeCheck)) codes.add("age_check_required");
  const byStatus = [...Map.groupBy(codes, (code) => errors[code])].map(([status, same]): [string, Json] => [
    String(status),
    {
      description: same.join(", "),
      ...(status === errors.too_many_requests ? { headers: RETRY_AFTER } : {}),
      content: ERROR_CONTENT,
    },
  ]);
  const others = "malformed_request, too_large, not_found for an unknown URL, service_unavailable, fault";
  return { ...Object.fromEntries(byStatus), default: { description: others, content: ERROR_CONTENT } };
}

const KEY_HEADER = {
  name: IDEMPOTENCY_KEY,
  in: "header",
  required: false,
  schema: { type: "string", pattern: "^[!-~]{16,64}$" },
  description:
    "A random value, such as a UUID, of one action. For an hour, the same request with the same key gets the first response again. The same key with other fields is rejected.",
};
const KEY_ERRORS = ["idempotency_key_invalid", "idempotency_key_in_use", "idempotency_key_reused"] as const;
const ERROR_CONTENT = { "application/json": { schema: { $ref: "#/components/schemas/Refusal" } } };
const RETRY_AFTER = {
  "Retry-After": {
    description: "Seconds until the next request is possible.",
    required: true,
    schema: { type: "integer", minimum: 1 },
  },
};
