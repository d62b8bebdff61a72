import type { Call } from "@alcove/contract";
import * as calls from "@alcove/contract/console";
import * as correctionCalls from "@alcove/contract/console-corrections";
import * as helpCalls from "@alcove/contract/console-help";
import * as pictureCalls from "@alcove/contract/console-pictures";
import * as mailboxCalls from "@alcove/contract/console-mailboxes";
import * as requestCalls from "@alcove/contract/console-requests";
import { getStatistics } from "@alcove/contract/console-statistics";
import { type CallHandler, registeredCall } from "../../platform/http/registered-call.ts";
import type { App } from "../../platform/http/router.ts";
import { decideAgeCheck, getAgeChecks, openAgeCheck } from "./age-checks.ts";
import {
  decideAppeal,
  decideCase,
  listCases,
  objectToNotice,
  openCase,
  readEvidence,
  readPicture,
  releaseCase,
} from "./cases.ts";
import { decideCorrection, getCorrections, openCorrection } from "./corrections.ts";
import { openHelp, readQueue, reply } from "./help.ts";
import {
  find,
  grant,
  listNetwork,
  logOut,
  lookUpMember,
  remove,
  restore,
  revokeGrant,
  setPercentage,
  suspend,
} from "./members.ts";
import { decideRequest, openRequest, readMailboxRequests } from "./mailboxes.ts";
import { addPasskey, listPasskeys, removePasskey, startConfirmation } from "./own-passkeys.ts";
import { finishEnrolment, finishLogin, startEnrolment, startLogin } from "./passkeys.ts";
import type { ConsoleOperator, ConsoleVisitor } from "./port.ts";
import * as pictures from "./pictures.ts";
import { approve, readRequests, reject } from "./requests.ts";
import { endSession } from "./sessions.ts";
import {
  addCoupon,
  confirmBank,
  endCoupon,
  readCoupons,
  readFigures,
  readLog,
  readPayments,
} from "./shop.ts";

export function registerConsoleRoutes(app: App): void {
  const { ctx } = app;
  routeVisitor(app, calls.startEnrolment, ({ input, ...visitor }) =>
    startEnrolment(ctx, visitor, input.token),
  );
  routeVisitor(app, calls.finishEnrolment, ({ input, ...visitor }) => finishEnrolment(ctx, visitor, input));
  routeVisitor(app, calls.startLogin, ({ origin }) => startLogin(ctx, origin));
  routeVisitor(app, calls.finishLogin, async ({ input, cookie, ...visitor }) =>
    cookie.set(await finishLogin(ctx, visitor, input.response)),
  );
  routeOperator(app, calls.endLogin, async ({ cookie }) => {
    await endSession(ctx, cookie.token!);
    cookie.clear();
  });
  routeOperator(app, calls.getOperator, async ({ operator }) => ({ name: operator.name }));
  routeOperator(app, calls.getPasskeys, ({ operator }) => listPasskeys(ctx, operator));
  routeOperator(app, calls.startConfirmation, ({ input, ...place }) => startConfirmation(ctx, place, input));
  routeOperator(app, calls.addPasskey, ({ input, ...place }) => addPasskey(ctx, place, input.confirmation));
  routeOperator(app, calls.removePasskey, ({ input, cookie, ...place }) =>
    removePasskey(ctx, { ...place, token: cookie.token! }, input),
  );
  routeOperator(app, calls.getCases, ({ operator, input }) => listCases(ctx, operator, input));
  routeOperator(app, calls.openCase, ({ operator, input }) => openCase(ctx, operator, input.id));
  routeOperator(app, calls.readCasePicture, ({ operator, input }) => readPicture(ctx, operator, input));
  routeOperator(app, calls.readCaseEvidence, ({ operator, input }) => readEvidence(ctx, operator, input.id));
  routeOperator(app, calls.releaseCase, ({ operator, input }) => releaseCase(ctx, operator, input.id));
  routeOperator(app, calls.decideCase, ({ operator, input }) => decideCase(ctx, operator, input));
  routeOperator(app, calls.decideCaseAppeal, ({ operator, input }) => decideAppeal(ctx, operator, input));
  routeOperator(app, calls.objectToNotice, ({ operator, input }) => objectToNotice(ctx, operator, input));
  routeOperator(app, correctionCalls.getCorrections, ({ operator }) => getCorrections(ctx, operator));
  routeOperator(app, correctionCalls.openCorrection, ({ operator, input }) =>
    openCorrection(ctx, operator, input.id),
  );
  routeOperator(app, correctionCalls.decideCorrection, ({ operator, input }) =>
    decideCorrection(ctx, operator, input),
  );
  routeOperator(app, calls.getAgeChecks, ({ operator }) => getAgeChecks(ctx, operator));
  routeOperator(app, calls.openAgeCheck, ({ operator, input }) => openAgeCheck(ctx, operator, input.id));
  routeOperator(app, calls.decideAgeCheck, ({ operator, input }) => decideAgeCheck(ctx, operator, input));
  routeOperator(app, calls.lookUpMember, ({ operator, input }) => lookUpMember(ctx, operator, input));
  routeOperator(app, calls.listSameNetwork, ({ operator, input }) => listNetwork(ctx, operator, input));
  routeOperator(app, calls.suspendAccount, ({ operator, input }) => suspend(ctx, operator, input));
  routeOperator(app, calls.restoreAccount, ({ operator, input }) => restore(ctx, operator, input));
  routeOperator(app, calls.findAccount, ({ operator, input }) => find(ctx, operator, input));
  routeOperator(app, calls.logOutAccount, ({ operator, input }) => logOut(ctx, operator, input));
  routeOperator(app, calls.removeAccount, ({ operator, input }) => remove(ctx, operator, input));
  routeOperator(app, calls.grantAccount, ({ operator, input }) => grant(ctx, operator, input));
  routeOperator(app, calls.revokeGrant, ({ operator, input }) => revokeGrant(ctx, operator, input));
  routeOperator(app, calls.setPercentage, ({ operator, input }) => setPercentage(ctx, operator, input));
  routeOperator(app, calls.getCoupons, ({ operator }) => readCoupons(ctx, operator));
  routeOperator(app, calls.createCoupon, ({ operator, input }) => addCoupon(ctx, operator, input));
  routeOperator(app, calls.disableCoupon, ({ operator, input }) => endCoupon(ctx, operator, input.id));
  routeOperator(app, calls.getPayments, ({ operator }) => readPayments(ctx, operator));
  routeOperator(app, calls.confirmBank, ({ operator, input }) => confirmBank(ctx, operator, input));
  routeOperator(app, getStatistics, ({ operator, input }) => readFigures(ctx, operator, input));
  routeOperator(app, calls.getLog, ({ operator, input }) => readLog(ctx, operator, input));
  routeOperator(app, helpCalls.getHelpQueue, ({ operator }) => readQueue(ctx, operator));
  routeOperator(app, helpCalls.openHelp, ({ operator, input }) => openHelp(ctx, operator, input.id));
  routeOperator(app, helpCalls.answerHelp, ({ operator, input }) => reply(ctx, operator, input));
  routeOperator(app, helpCalls.closeHelp, ({ operator, input }) => reply(ctx, operator, input));
  routeOperator(app, mailboxCalls.getMailboxRequests, ({ operator }) => readMailboxRequests(ctx, operator));
  routeOperator(app, mailboxCalls.openMailboxRequest, ({ operator, input }) =>
    openRequest(ctx, operator, input.id),
  );
  routeOperator(app, mailboxCalls.decideMailboxRequest, ({ operator, input }) =>
    decideRequest(ctx, operator, input),
  );
  routeOperator(app, requestCalls.getRequests, ({ operator }) => readRequests(ctx, operator));
  routeOperator(app, requestCalls.approveRequest, ({ operator, input }) => approve(ctx, operator, input));
  routeOperator(app, requestCalls.rejectRequest, ({ operator, input }) => reject(ctx, operator, input));
  routeOperator(app, pictureCalls.getNewPictures, ({ operator }) => pictures.readPictures(ctx, operator));
  routeOperator(app, pictureCalls.openPicture, ({ operator, input }) =>
    pictures.openPicture(ctx, operator, input.id),
  );
  routeOperator(app, pictureCalls.approvePicture, ({ operator, input }) =>
    pictures.approve(ctx, operator, input.id),
  );
  routeOperator(app, pictureCalls.removeNewPicture, ({ operator, input }) =>
    pictures.remove(ctx, operator, input),
  );
  app.registerRoutes();
}

function routeVisitor<C extends Call>(app: App, call: C, handle: CallHandler<C, ConsoleVisitor>): void {
  app.add(registeredCall(call, handle));
}

/** The handler logs each look and change first. */
function routeOperator<C extends Call>(app: App, call: C, handle: CallHandler<C, ConsoleOperator>): void {
  app.add(registeredCall(call, handle));
}
