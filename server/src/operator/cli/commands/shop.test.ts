import { expect, test } from "vitest";
import { deleteAccount } from "@alcove/contract/accounts";
import { checkCoupon, useCoupon } from "@alcove/contract/membership";
import { readOperatorActions } from "../../../accounts/index.ts";
import { serviceForTest } from "../../../testing/service-for-test.ts";
import { buy, order, fakePayPalForFile } from "../../../testing/paypal.ts";
import { expectError, type TestService } from "../../../testing/test-service.ts";
import { type Fields, OperatorError } from "../command-line.ts";
import { HELP, parseCommand } from "./index.ts";

const { paypal, config } = await fakePayPalForFile();

/** Runs an operator command in this process. */
async function operator(
  { ctx, databaseUrl }: TestService,
  line: string,
): Promise<Record<string, string | null>[]> {
  const { run, reason } = parseCommand(line.split(" "))!;
  return [(await run(ctx, reason, { databaseUrl })) as Fields | Fields[]].flat();
}

/** Oldest first. */
const logOf = async ({ ctx }: TestService) =>
  (await readOperatorActions(ctx, null))
    .toReversed()
    .map(({ action, subject, reason }) => [action, subject, reason]);

test("creates, lists and disables a coupon and logs each command", async () => {
  const service = await serviceForTest();
  service.clock.set("2026-03-10T00:00:00Z");
  const hanako = await service.member("hanako", { at: null });
  const taro = await service.member("taro", { at: null });
  const line =
    "coupons create --id spring --year 1 --month 0 --max-uses 3 --expires-at 2026-12-31T23:59:59+09:00";

  const [made] = await operator(service, `${line} --reason fair`);
  service.clock.advance(1);
  await expect(operator(service, line)).rejects.toThrow("The coupon SPRING already exists.");
  await hanako.call(useCoupon, { coupon_id: "Spring" });
  service.clock.advance(1);
  const listed = await operator(service, "coupons list");
  service.clock.advance(1);
  const [disabled] = await operator(service, "coupons disable spring");

  expect(made).toMatchObject({
    id: "SPRING",
    year: "1",
    month: "0",
    state: "usable",
    used: "0",
    max_uses: "3",
    expires_at: "2026-12-31T14:59:59.000Z",
  });
  expect(listed).toMatchObject([{ id: "SPRING", used: "1", state: "usable" }]);
  expect(disabled).toMatchObject({ state: "disabled", used: "1" });
  await expectError(taro.call(checkCoupon, { coupon_id: "spring" }), "coupon_expired");
  expect((await logOf(service)).map(([action, , reason]) => [action, reason])).toEqual([
    ["coupons create SPRING year=1 month=0 max-uses=3 expires-at=2026-12-31T14:59:59.000Z", "fair"],
    ["coupons create SPRING year=1 month=0 max-uses=3 expires-at=2026-12-31T14:59:59.000Z", null],
    ["coupons list", null],
    ["coupons disable SPRING", null],
  ]);
  await expect(operator(service, "coupons disable winter")).rejects.toThrow(OperatorError);
  const past = "coupons create --id OLD --month 1 --max-uses 1 --expires-at 2026-03-09";
  await expect(operator(service, past)).rejects.toThrow("has passed already");
});

test("lists orders and polls PayPal for one or all of them", async () => {
  const service = await serviceForTest({ config });
  const hanako = await service.member("hanako", { at: null });
  const taro = await service.member("taro", { at: null });
  const bought = await buy(paypal, hanako, { year: 1, currency: "JPY" });
  service.clock.advance(1_000);
  const waiting = await order(taro);

  expect(await operator(service, "orders list --member HANAKO")).toMatchObject([
    {
      id: bought.order_id,
      user_id: "hanako",
      price: "12000 JPY",
      state: "completed",
      paypal_order_id: bought.paypal_order_id,
      paypal_capture_id: bought.capture_id,
    },
  ]);
  expect((await operator(service, "orders list")).map(({ user_id }) => user_id)).toEqual(["taro", "hanako"]);

  await paypal.approve(waiting.paypal_order_id);
  await paypal.refund(bought.capture_id);
  expect(await operator(service, `orders reconcile ${waiting.order_id.toUpperCase()}`)).toMatchObject([
    { user_id: "taro", state: "completed" },
  ]);
  expect(await operator(service, "orders reconcile --reason closing")).toEqual([
    { looked: "2", failed: "0" },
  ]);
  expect(await operator(service, "orders list --member hanako")).toMatchObject([
    { state: "refunded", refunded_in_smallest_unit: "12000" },
  ]);
  expect(await logOf(service)).toContainEqual(["orders reconcile", "-", "closing"]);
  expect(await logOf(service)).toContainEqual(["orders reconcile one", "taro", null]);
  const nobody = "orders reconcile 0b0e4ad2-6a2b-4f0e-9a39-4c2d7cf1a001";
  await expect(operator(service, nobody)).rejects.toThrow("There is no order");
  await expect(operator(service, "orders list --member nobody")).rejects.toThrow("There is no member");

  await taro.call(deleteAccount, {});
  const [closed] = await service.db.selectFrom("closed_orders").select("archive_id").execute();
  expect(await operator(service, `orders reconcile ${closed!.archive_id}`)).toMatchObject([
    { user_id: null, state: "completed" },
  ]);
});

test("lists every command with its usage on the help page", () => {
  for (const line of [
    "members grant USER_ID --year 1 --month 2",
    "coupons create --id X",
    "orders reconcile",
  ]) {
    expect(HELP).toContain(`npm run operator -- ${line}`);
  }
});
