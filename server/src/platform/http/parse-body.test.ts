import fastify from "fastify";
import { expect, test } from "vitest";
import { readBody } from "./parse-body.ts";

test("frees unknown and nested values of a body before its request waits", async () => {
  const http = fastify();
  const taken = { fields: new Set(["email", "code", "response"]), objectFields: new Set(["response"]) };
  http.route({
    method: "POST",
    url: "/",
    handler: async (request) => [await readBody(request, taken, null), request.body ?? null],
  });

  const sent = { email: "hanako@example.com", code: [{}, {}], response: { id: [1] }, unknown: [{}, {}] };
  const response = await http.inject({ method: "POST", url: "/", payload: sent });

  expect(response.json()).toEqual([{ email: "hanako@example.com", code: [], response: { id: [1] } }, null]);
});
