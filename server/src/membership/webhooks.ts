import * as z from "zod/mini";
import { DAY_MS, floorTo, MINUTE_MS, pollTimeAfter } from "../platform/clock.ts";
import type { AppContext } from "../platform/context.ts";
import {
  PaymentRejectedError,
  type Payments,
  PaymentUnknownError,
  type Refund,
  type WebhookDelivery,
} from "../integrations/paypal/payments.ts";
import { ApiError } from "../platform/errors.ts";
import * as rows from "./orders.sql.ts";
import { pollOrder } from "./reconcile-orders.ts";
import type { OrderRef } from "./settle-order.ts";
import * as events from "./webhook-events.sql.ts";

const Money = z.object({ currency_code: z.string(), value: z.string() });
const Resource = z.looseObject({
  id: z.optional(z.string()),
  status: z.optional(z.string()),
  custom_id: z.optional(z.string()),
  amount: z.optional(Money),
  links: z.optional(z.array(z.object({ href: z.string(), rel: z.string() }))),
  supplementary_data: z.optional(
    z.object({
      related_ids: z.optional(
        z.object({ order_id: z.optional(z.string()), capture_id: z.optional(z.string()) }),
      ),
    }),
  ),
});
type Resource = z.infer<typeof Resource>;

const Event = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(100), z.regex(/^[\w-]+$/)),
  event_type: z.string().check(z.maxLength(100)),
  resource: z.record(z.string(), z.unknown()),
});

/** The job captures an approved order if its buyer does not return within this time. */
const BUYER_RETURN_MS = 3 * MINUTE_MS;
const ABOUT_ORDERS = /^(CHECKOUT\.ORDER|PAYMENT\.CAPTURE)\./;
const REFUND_EVENTS = new Set(["PAYMENT.CAPTURE.REFUNDED", "PAYMENT.CAPTURE.REVERSED"]);

/**
 * The event only names the order; its state is read from PayPal, so events may arrive late, repeatedly and in any
 * order.
 *
 * Returns false if the signature is invalid.
 */
export async function handleWebhook(ctx: AppContext, delivery: WebhookDelivery): Promise<boolean> {
  const { payments } = ctx;
  if (!payments) throw new ApiError("not_found");
  const event = parseEvent(delivery.body);
  if (!event) return false;

  try {
    // Verified first, so that a forged event does not reveal which ids were processed.
    if (!(await payments.verifyWebhook(delivery))) return false;
    if (!(await events.isProcessed(ctx.db, event.id))) await handleEvent(ctx, payments, event);
    return true;
  } catch (error) {
    // PayPal repeats an event after a 503.
    if (!(error instanceof PaymentUnknownError || error instanceof PaymentRejectedError)) throw error;
    ctx.log.warn({ err: error, event: event.event_type }, "webhook failed, PayPal will repeat it");
    throw new ApiError("payments_unavailable");
  }
}

function parseEvent(body: string): z.infer<typeof Event> | null {
  try {
    const parsed = z.safeParse(Event, JSON.parse(body));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

async function handleEvent(ctx: AppContext, payments: Payments, event: z.infer<typeof Event>): Promise<void> {
  const { id, event_type: type } = event;
  if (!ABOUT_ORDERS.test(type)) return emitPayPalEvent(ctx, event);

  const resource = z.safeParse(Resource, event.resource);
  const ref = resource.success ? await findOrder(ctx, type, resource.data) : null;
  if (resource.success && ref) {
    if (type === "CHECKOUT.ORDER.APPROVED") await scheduleCapture(ctx, ref);
    else await pollOrder(ctx, payments, ref, { refunds: refundsIn(type, resource.data) });
  }
  await events.insertEvent(ctx.db, id, floorTo(ctx.clock.now(), DAY_MS));
}

async function scheduleCapture(ctx: AppContext, { member_no, order_id }: OrderRef): Promise<void> {
  if (member_no === null) return;
  await rows.pollBy(ctx.db, { member_no, order_id }, pollTimeAfter(ctx.clock.now(), BUYER_RETURN_MS));
}

async function emitPayPalEvent(
  ctx: AppContext,
  { id, event_type: type, resource }: z.infer<typeof Event>,
): Promise<void> {
  const afterCommit = await ctx.db.transaction().execute(async (tx): Promise<() => void> => {
    const isNew = await events.insertEvent(tx, id, floorTo(ctx.clock.now(), DAY_MS));
    return isNew ? ctx.domainEvents.emit(tx, "paypal_event", { type, resource }) : () => undefined;
  });
  afterCommit();
}

async function findOrder(ctx: AppContext, type: string, resource: Resource): Promise<OrderRef | null> {
  const related = resource.supplementary_data?.related_ids;
  const isOrder = type.startsWith("CHECKOUT.");
  const candidates = [
    ["order", isOrder ? resource.id : related?.order_id],
    ["capture", related?.capture_id],
    ["capture", linkedCaptureId(resource)],
    ["capture", isOrder ? undefined : resource.id],
    ["custom_id", resource.custom_id],
  ] as const;
  for (const [kind, id] of candidates) {
    const ref = id === undefined || id.includes("\u0000") ? null : await rows.findRef(ctx.db, kind, id);
    if (ref) return ref;
  }
  return null;
}

function linkedCaptureId({ links = [] }: Resource): string | undefined {
  return links.find(({ rel }) => rel === "up")?.href.match(/\/captures\/([^/?#]+)/)?.[1];
}

/** PayPal's order may not list this refund yet. */
function refundsIn(type: string, { id, amount }: Resource): Refund[] {
  return REFUND_EVENTS.has(type) && id && amount ? [{ id, status: "COMPLETED", amount }] : [];
}
