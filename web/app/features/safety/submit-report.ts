import type { InputOf } from "@alcove/contract/call";
import { reportUser } from "@alcove/contract/safety";
import { api } from "../../lib/api/api.ts";
import { actionResult, formResult } from "../../lib/forms/form-result.ts";

const FIELDS = ["userId", "endedId", "reason", "detail", "dmId", "postId"] as const satisfies (keyof InputOf<
  typeof reportUser
>)[];

/** Whether a screen's `action` gets the form of `ReportSheet`. */
export const isReport = (form: FormData | undefined): boolean => form?.get("intent") === "report";

/** The sheet has checked the fields. */
export async function submitReport(form: FormData) {
  const filled = FIELDS.flatMap((name) => (form.get(name) ? [[name, form.get(name)]] : []));
  const report = Object.fromEntries(filled) as InputOf<typeof reportUser>;
  return actionResult(await formResult(() => api(reportUser, report)));
}
