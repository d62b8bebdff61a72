import { type Challenge, solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import type { InputOf } from "@alcove/contract";
import { botChallenge } from "@alcove/contract/accounts";
import { buildRequest } from "@alcove/contract/request";
import type { TestService } from "./test-service.ts";

export async function fetchChallenge(
  service: TestService,
  input: InputOf<typeof botChallenge>,
  headers: Record<string, string> = {},
): Promise<Challenge> {
  const { path } = buildRequest(botChallenge, input);
  return (await (await service.fetch(path, { headers })).json()) as Challenge;
}

export async function solve(challenge: Challenge): Promise<string> {
  const solution = await solveChallenge({ challenge, deriveKey });
  return Buffer.from(JSON.stringify({ challenge, solution })).toString("base64");
}
