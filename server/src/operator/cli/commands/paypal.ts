import { logOperatorAction } from "../../../accounts/index.ts";
import { PaymentRejectedError, PaymentUnknownError } from "../../../integrations/paypal/payments.ts";
import type { AppContext } from "../../../platform/context.ts";
import {
  CASE_OPTION,
  type FieldDescriptions,
  type Fields,
  noArguments,
  OperatorError,
  parseCase,
  parseUuid,
  singleArgument,
  type Subcommand,
} from "../command-line.ts";
import { logLook } from "../../members.ts";
import { requireMember } from "./members.ts";

export async function withPayPalErrors<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof PaymentUnknownError || error instanceof PaymentRejectedError)
      throw new OperatorError(`PayPal could not be reached: ${error.message}`);
    throw error;
  }
}

interface Kind {
  readonly name: string;
  readonly idName: string;
  readonly fields: FieldDescriptions;
}

export function listCommand(
  { name, fields }: Kind,
  list: (ctx: AppContext, memberId: number | null) => Promise<Fields[]>,
): Subcommand {
  return {
    usage: "[--member USER_ID] [--case NUMBER]",
    summary: "newest first; without --member the latest 200",
    options: { member: `only ${name} of this member`, ...CASE_OPTION },
    fields,
    parse: (words, values) => {
      noArguments(words, `${name} list takes only --member USER_ID and --case NUMBER.`);
      const { member } = values;
      const caseNo = parseCase(values);
      return async (ctx, reason) => {
        const found = member === undefined ? null : await requireMember(ctx, member);
        await logLook(ctx, { operatorId: null, reason, caseNo }, `${name} list`, found);
        return list(ctx, found?.memberId ?? null);
      };
    },
  };
}

export function reconcileCommand(
  { name, idName, fields }: Kind,
  {
    one,
    all,
  }: {
    one: (ctx: AppContext, id: string, reason: string | null) => Promise<Fields>;
    all: (ctx: AppContext) => Promise<{ polled: number; failed: number }>;
  },
): Subcommand {
  return {
    usage: `[${idName}]`,
    summary: `polls PayPal for one or for all ${name} that may change`,
    fields: {
      ...fields,
      looked: `for all ${name}: number of polls`,
      failed: `for all ${name}: number of failed polls`,
    },
    parse: (words) => {
      const usage = `${name} reconcile takes at most one ${idName}.`;
      const id = words.length === 0 ? null : parseUuid(singleArgument(words, usage), usage);
      return async (ctx, reason) => {
        if (!ctx.payments) throw new OperatorError("Payments are off: PAYPAL_CLIENT_ID is not set.");
        if (id !== null) return one(ctx, id, reason);
        await logOperatorAction(ctx, `${name} reconcile`, null, reason);
        const { polled, failed } = await all(ctx);
        return { looked: String(polled), failed: String(failed) };
      };
    },
  };
}
