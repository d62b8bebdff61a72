import * as z from "zod/mini";
import { call } from "./call.ts";
import { FREE } from "./costs.ts";
import * as fields from "./fields.ts";
import { CONTACT_MAX } from "./limits.ts";

export const contactSupport = call({
  name: "contactSupport",
  method: "POST",
  path: "/api/contact",
  access: "visitor",
  summary:
    "Sends a visitor's question to the support address, with their address for the reply. Nothing else is stored.",
  costs: FREE,
  input: z.object({
    email: fields.Email,
    message: fields.text(CONTACT_MAX),
    recaptchaAction: z.optional(z.string()),
    recaptchaToken: z.optional(z.nullable(z.string())),
  }),
  response: null,
  errors: ["invalid_input", "too_many_requests"],
});
