import * as calls from "@alcove/contract/console";
import { decideCase, listCases, openCase, readPicture, releaseCase } from "./cases.ts";
import { grant, listNetwork, lookUpMember, restore, suspend } from "./members.ts";
import { addPasskey, listPasskeys, removePasskey, startConfirmation } from "./own-passkeys.ts";
import { finishEnrolment, finishLogin, startEnrolment, startLogin } from "./passkeys.ts";
import type { ConsoleRouter } from "./router.ts";
import { endSession } from "./sessions.ts";
import { addCoupon, endCoupon, readCoupons, readLog, readPayments } from "./shop.ts";

export function registerRoutes(router: ConsoleRouter): void {
  const { ctx } = router;
  router.visitor(calls.startEnrolment, ({ input, origin }) => startEnrolment(ctx, origin, input.token));
  router.visitor(calls.finishEnrolment, ({ input, origin }) => finishEnrolment(ctx, origin, input));
  router.visitor(calls.startLogin, ({ origin }) => startLogin(ctx, origin));
  router.visitor(calls.finishLogin, async ({ input, origin, cookie }) =>
    cookie.set(await finishLogin(ctx, origin, input.response)),
  );
  router.operator(calls.endLogin, async ({ cookie }) => {
    await endSession(ctx, cookie.token!);
    cookie.clear();
  });
  router.operator(calls.getOperator, async ({ operator }) => ({ name: operator.name }));
  router.operator(calls.getPasskeys, ({ operator }) => listPasskeys(ctx, operator));
  router.operator(calls.startConfirmation, ({ input, ...place }) => startConfirmation(ctx, place, input));
  router.operator(calls.addPasskey, ({ input, ...place }) => addPasskey(ctx, place, input.confirmation));
  router.operator(calls.removePasskey, ({ input, cookie, ...place }) =>
    removePasskey(ctx, { ...place, token: cookie.token! }, input),
  );
  router.operator(calls.getCases, ({ operator }) => listCases(ctx, operator));
  router.operator(calls.openCase, ({ operator, input }) => openCase(ctx, operator, input.id));
  router.operator(calls.readCasePicture, ({ operator, input }) => readPicture(ctx, operator, input.id));
  router.operator(calls.releaseCase, ({ operator, input }) => releaseCase(ctx, operator, input.id));
  router.operator(calls.decideCase, ({ operator, input }) => decideCase(ctx, operator, input));
  router.operator(calls.lookUpMember, ({ operator, input }) => lookUpMember(ctx, operator, input));
  router.operator(calls.listSameNetwork, ({ operator, input }) => listNetwork(ctx, operator, input));
  router.operator(calls.suspendAccount, ({ operator, input }) => suspend(ctx, operator, input));
  router.operator(calls.restoreAccount, ({ operator, input }) => restore(ctx, operator, input));
  router.operator(calls.grantAccount, ({ operator, input }) => grant(ctx, operator, input));
  router.operator(calls.getCoupons, ({ operator }) => readCoupons(ctx, operator));
  router.operator(calls.createCoupon, ({ operator, input }) => addCoupon(ctx, operator, input));
  router.operator(calls.disableCoupon, ({ operator, input }) => endCoupon(ctx, operator, input.id));
  router.operator(calls.getPayments, ({ operator }) => readPayments(ctx, operator));
  router.operator(calls.getLog, ({ operator, input }) => readLog(ctx, operator, input));
  router.checkComplete();
}
