import * as z from "zod/mini";
import { call } from "./call.ts";
import { READ, write } from "./costs.ts";
import { text } from "./fields.ts";
import { LEGAL_VERSION_MAX } from "./limits.ts";

const Consent = z.object({ version: z.string(), agreed_version: z.string() });

export const getConsent = call({
  name: "getConsent",
  summary:
    "Returns the newest version in force of terms and privacy policy, each with the version to which the caller has agreed.",
  method: "GET",
  path: "/users/api/consent",
  access: "member",
  forPurchases: true,
  costs: READ,
  input: z.object({}),
  response: z.object({ terms: Consent, privacy: Consent }),
});

export const giveConsent = call({
  name: "giveConsent",
  summary:
    "Agrees to these versions of terms and privacy policy. Older ones than those in force are rejected.",
  method: "POST",
  path: "/users/api/consent",
  access: "member",
  withoutConsent: true,
  costs: write("account_changes"),
  input: z.object({ terms_version: text(LEGAL_VERSION_MAX), privacy_version: text(LEGAL_VERSION_MAX) }),
  response: null,
  errors: ["invalid_input"],
});
