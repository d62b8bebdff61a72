import { afterAll, beforeEach } from "vitest";
import type { InputOf } from "@alcove/contract";
import { socialAccountExists, type register } from "@alcove/contract/accounts";
import { startGoogle, type FakeGoogle } from "@alcove/test-services/google";
import { readConfig, type Config } from "../config.ts";
import { signUpForm } from "./sign-up.ts";
import type { TestService } from "./test-service.ts";

export const HANAKO = { subject: "104839271650918273645", email: "hanako@example.com" };

/** Has three accounts, one of them unverified. */
export async function fakeGoogleForFile(): Promise<{ google: FakeGoogle; config: Partial<Config> }> {
  const google = await startGoogle();
  afterAll(() => google.close());
  beforeEach(() => google.setBehaviour("well"));
  for (const account of [
    HANAKO,
    { subject: "200000000000000000002", email: "taro@example.com" },
    { subject: "300000000000000000003", email: "unsure@example.com", isVerified: false },
  ])
    await google.addAccount(account);
  const { googleClientId, googleAuthUrl, googleTokeninfoUrl, googleUserinfoUrl } = readConfig(
    google.variables,
  );
  return { google, config: { googleClientId, googleAuthUrl, googleTokeninfoUrl, googleUserinfoUrl } };
}

export function googleForm(
  accessToken: string,
  overrides: Partial<InputOf<typeof register>> = {},
): InputOf<typeof register> {
  const { email: _, code: __, ...form } = signUpForm({ email: "", code: "" });
  return { ...form, provider: "google", accessToken, ...overrides };
}

export function hasGoogleAccount(service: TestService, accessToken: string): Promise<boolean> {
  return service.call(socialAccountExists, { provider: "google", accessToken });
}
