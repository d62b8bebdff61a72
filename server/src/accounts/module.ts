import * as calls from "@alcove/contract/accounts";
import * as ageCheckCalls from "@alcove/contract/age-check";
import * as consentCalls from "@alcove/contract/consent";
import { getStoredData } from "@alcove/contract/stored-data";
import * as passkeyCalls from "@alcove/contract/passkeys";
import * as passwordCalls from "@alcove/contract/passwords";
import type { ValidationErrors } from "@alcove/contract/fields";
import type { Language } from "@alcove/i18n";
import { fieldMessage } from "../platform/i18n.ts";
import { type App, route, routeFile, routePublic } from "../platform/http/router.ts";
import { handleMemberJob } from "../platform/jobs/member-jobs.ts";
import { presentOwnUser } from "../profiles/index.ts";
import {
  deleteAgeCheckOf,
  expireAgeChecks,
  readAgeCheckState,
  sendAgeCheckEmail,
  sendDocument,
} from "./age-check/age-check.ts";
import { ageCheckKeys, deleteAgeChecksWithoutKey } from "./age-check/age-checks.sql.ts";
import { announceVersions, sendNewTermsEmail } from "./consent/announcements.ts";
import { giveConsent, readConsentStatus } from "./consent/consents.ts";
import { handleUnusedAccounts, sendUnusedEmail } from "./unused/unused.ts";
import type { FindLocalTime } from "./emails/emails.ts";
import { confirmCode } from "./codes/codes.ts";
import { forgetCredentials } from "./passkeys/passkeys.sql.ts";
import { changePassword, validateNewPassword } from "./passwords/change-password.ts";
import { deleteMember, deleteMembersWithoutKey } from "./deletion.ts";
import { listStoredData } from "./stored-data.ts";
import { exportAccount, exportData } from "./export.ts";
import { identifyGoogleAccount, hasMember, logInWithGoogle } from "./login/google.ts";
import { sendCodeEmail, sendFixedEmail, sendPasswordChangedEmail } from "./emails/emails.ts";
import {
  confirmDevice,
  denyDevice,
  pushAccountChanges,
  pushNewDevices,
  saveDeviceSetting,
  sendNewDeviceEmail,
} from "./login/device-notices.ts";
import { logIn } from "./login/log-in.ts";
import { createBotChallenge } from "./login/login-limits.ts";
import { clearInviter, setSecondFactor } from "../members/members.sql.ts";
import { countWaitingPasswords } from "./passwords/passwords.ts";
import { logInWithPasskey, startPasskeyLogin } from "./passkeys/passkey-login.ts";
import * as passkeys from "./passkeys/passkeys.ts";
import { confirmCaller } from "./passkeys/proofs.ts";
import * as reset from "./passwords/reset-password.ts";
import { endOtherSessions, endOwnSession, listSessions, logOut, refreshTokens } from "./login/sessions.ts";
import { readReceipt, registerDestroyedKeys } from "./receipts/receipts.ts";
import * as signUp from "./sign-up/sign-up.ts";
import { sweepAccounts } from "./cleanup.ts";
import { memberKeys } from "../members/members.sql.ts";
import { reasonKeys } from "./operator-log.sql.ts";
import { deleteOldOperatorActions } from "./operator-log.ts";
import { createTicket, logInWithCode } from "./login/tickets.ts";
import { evictUserId } from "../members/user-ids.ts";

/** The contract returns field errors of a first step with status 200. */
function whenInvalid(errors: ValidationErrors, lang: Language): { error_message: string } {
  return { error_message: fieldMessage(lang, Object.values(errors)[0]![0]!) };
}

/** Pictures may be in the browser's cache. Language and device id stay in its storage. */
const CLEAR_CACHE = { "clear-site-data": '"cache"' };

/** `findLocalTime` is passed in, because an import of notifications would close a cycle. */
export function registerAccounts(app: App, findLocalTime: FindLocalTime): void {
  const { ctx } = app;
  registerConsents(app, findLocalTime);
  ctx.metrics.addGauge("alcove_passwords_waiting", "Passwords that wait for a core.", countWaitingPasswords);
  routeSignUp(app);
  routePasswords(app);
  routeLogin(app);
  routePasskeys(app);
  routeOwnAccount(app);
  ctx.eventBus.subscribe("member_ended", ({ memberId }) => evictUserId(ctx.encryption, memberId));
  ctx.encryption.keys.addUse(memberKeys);
  ctx.encryption.keys.addUse(reasonKeys);
  ctx.domainEvents.on("database_restored", (tx) => deleteMembersWithoutKey(tx, ctx));
  ctx.personalDataExports.add((tx, me) => exportAccount(tx, ctx, me));
  pushNewDevices(ctx);
  pushAccountChanges(ctx);
  registerDestroyedKeys(app);
  handleJobs(app);
}

function routeSignUp(app: App): void {
  const { ctx } = app;
  routePublic(app, calls.botChallenge, ({ input, ip }) => createBotChallenge(ctx, input, ip));
  routePublic(
    app,
    calls.requestSignUpCode,
    ({ input, lang, ...from }) => signUp.requestCode(ctx, input, lang, from),
    {
      whenInvalid,
    },
  );
  routePublic(app, calls.checkSignUpCode, ({ input, ...client }) =>
    confirmCode(ctx, "sign_up", { ...input, client }),
  );
  routePublic<typeof calls.register, signUp.EmailProof>(
    app,
    calls.register,
    ({ input, lang, ...from }) => signUp.register(ctx, input, lang, from),
    {
      prove: ({ valid, ...from }) => signUp.proveBeforePicture(ctx, valid, from),
      extraValidation: ({ valid, ...from }) => signUp.validateSignUp(ctx, valid, from),
    },
  );
  routePublic<typeof calls.previewSignUpIcon, signUp.EmailProof>(
    app,
    calls.previewSignUpIcon,
    ({ input, ...from }) => signUp.previewSignUpIcon(ctx, input, from),
    { prove: ({ valid, ...from }) => signUp.proveBeforePicture(ctx, valid, from) },
  );
}

function routePasswords(app: App): void {
  const { ctx } = app;
  routePublic(
    app,
    passwordCalls.requestResetCode,
    ({ input, lang, ...from }) => reset.requestCode(ctx, input, lang, from),
    {
      whenInvalid,
    },
  );
  routePublic(app, passwordCalls.checkResetCode, ({ input, ...client }) =>
    confirmCode(ctx, "reset_password", { ...input, client }),
  );
  routePublic(
    app,
    passwordCalls.resetPassword,
    ({ input, ...from }) => reset.resetPassword(ctx, input, from),
    {
      extraValidation: ({ valid }) => reset.validateReset(valid),
    },
  );
  route(app, passwordCalls.changePassword, ({ me, input, ip }) => changePassword(ctx, me, input, ip), {
    extraValidation: ({ me, valid }) => validateNewPassword(me, valid),
  });
}

function routeLogin(app: App): void {
  const { ctx } = app;
  routePublic(app, calls.logIn, ({ input, ...from }) => logIn(ctx, input, from));
  routePublic(app, calls.socialAccountExists, async ({ input, ip }) =>
    hasMember(ctx, await identifyGoogleAccount(ctx, input.accessToken, ip)),
  );
  routePublic(app, calls.readSocialAccount, async ({ input, ip }) => {
    const { email } = await identifyGoogleAccount(ctx, input.accessToken, ip);
    return { email };
  });
  routePublic(app, calls.logInSocially, ({ input, ...from }) => logInWithGoogle(ctx, input, from));
  routePublic(app, calls.refreshTokens, ({ input }) => refreshTokens(ctx, input.refresh, input.clientId));
  routePublic(app, calls.logOut, ({ input, accessToken }) => logOut(ctx, input.token, accessToken), {
    headers: CLEAR_CACHE,
  });
}

function routePasskeys(app: App): void {
  const { ctx } = app;
  route(app, passkeyCalls.getPasskeys, ({ me }) => passkeys.listPasskeys(ctx, me));
  route(app, passkeyCalls.startPasskey, ({ me, input, ...place }) =>
    passkeys.startPasskey(ctx, me, input, place),
  );
  route(app, passkeyCalls.addPasskey, ({ me, input, origin }) => passkeys.addPasskey(ctx, me, input, origin));
  route(app, passkeyCalls.setSecondFactor, ({ me, input }) =>
    passkeys.setSecondFactor(ctx, me, input.second_factor),
  );
  route(app, passkeyCalls.renamePasskey, ({ me, input }) => passkeys.renamePasskey(ctx, me, input));
  route(app, passkeyCalls.removePasskey, ({ me, input }) => passkeys.removePasskey(ctx, me, input.id));
  route(app, passkeyCalls.createRecoveryCodes, ({ me, input, ...place }) =>
    passkeys.createRecoveryCodes(ctx, me, input, place),
  );
  routePublic(app, passkeyCalls.startPasskeyLogin, ({ origin }) => startPasskeyLogin(ctx, origin));
  routePublic(app, passkeyCalls.logInWithPasskey, ({ input, ...from }) => logInWithPasskey(ctx, input, from));
}

function routeOwnAccount(app: App): void {
  const { ctx } = app;
  route(app, calls.getOwnUser, async ({ me }) => ({ user: await presentOwnUser(ctx, me) }));
  route(app, calls.confirmPassword, ({ me, input, ...place }) => confirmCaller(ctx, me, input, place));
  route(app, calls.deleteAccount, async ({ me }) => void (await deleteMember(ctx, me.memberId)));
  routePublic(app, calls.getDeletionReceipt, ({ input, ...from }) => readReceipt(ctx, input, from));
  route(app, calls.getWsTicket, ({ me }) => createTicket(ctx, me, "socket"));
  route(app, calls.createLoginCode, async ({ me }) => ({
    code: (await createTicket(ctx, me, "login")).ticket,
  }));
  routePublic(app, calls.logInWithCode, ({ input, ...from }) => logInWithCode(ctx, input.code, from));
  route(app, calls.getExportTicket, ({ me }) => createTicket(ctx, me, "file"));
  routeFile(app, calls.exportData, ({ me, lang }) => exportData(ctx, me, lang));
  route(app, getStoredData, () => listStoredData(ctx));
  route(app, calls.getSessions, ({ me, lang }) => listSessions(ctx, me, lang));
  route(app, calls.confirmSession, ({ me, input }) => confirmDevice(ctx, me, input.sessionId));
  route(app, calls.saveSessions, ({ me, input }) => saveDeviceSetting(ctx, me, input.tells_new_devices));
  routePublic(app, calls.denyDevice, ({ input }) => denyDevice(ctx, input.token));
  route(app, calls.endSession, ({ me, input }) => endOwnSession(ctx, me, input.sessionId));
  route(app, calls.endOtherSessions, ({ me }) => endOtherSessions(ctx, me));
}

function handleJobs({ ctx }: App): void {
  handleMemberJob(ctx, "clear_inviter", (memberId) => clearInviter(ctx.db, memberId));
  ctx.jobs.handle("sign_up_email", (job) => sendCodeEmail(ctx, "sign_up", job));
  ctx.jobs.handle("reset_password_email", (job) => sendCodeEmail(ctx, "reset_password", job));
  ctx.jobs.handle("change_email_email", (job) => sendCodeEmail(ctx, "change_email", job));
  ctx.jobs.handle("fixed_email", (job) => sendFixedEmail(ctx, job));
  ctx.jobs.handle("password_changed_email", (job) => sendPasswordChangedEmail(ctx, job));
  ctx.jobs.handle("new_device_email", (job) => sendNewDeviceEmail(ctx, job));
  ctx.jobs.handle("sweep_operator_log", () => deleteOldOperatorActions(ctx));
  ctx.jobs.handle("sweep_accounts", () => sweepAccounts(ctx));
}

function registerConsents(app: App, findLocalTime: FindLocalTime): void {
  const { ctx } = app;
  route(app, consentCalls.getConsent, ({ me }) => readConsentStatus(ctx, me));
  route(app, consentCalls.giveConsent, ({ me, input }) => giveConsent(ctx, me, input));
  route(app, ageCheckCalls.getAgeCheck, ({ me }) => readAgeCheckState(ctx, me));
  route(app, ageCheckCalls.sendAgeCheck, ({ me, input }) => sendDocument(ctx, me, input.file));
  ctx.domainEvents.on("member_deleted", (tx, { memberId }) => deleteAgeCheckOf(tx, ctx, memberId));
  ctx.domainEvents.on("account_handed_over", async (tx, { memberId }) => {
    await forgetCredentials(tx, memberId);
    await setSecondFactor(tx, memberId, false);
  });
  ctx.encryption.keys.addUse(ageCheckKeys);
  ctx.domainEvents.on("database_restored", (tx) => deleteAgeChecksWithoutKey(tx));
  ctx.jobs.handle("announce_versions", () => announceVersions(ctx, findLocalTime));
  ctx.jobs.handle("new_terms_email", (job) => sendNewTermsEmail(ctx, job));
  ctx.jobs.handle("expire_age_checks", () => expireAgeChecks(ctx));
  ctx.jobs.handle("age_check_email", (job) => sendAgeCheckEmail(ctx, job));
  ctx.jobs.handle("handle_unused_accounts", () => handleUnusedAccounts(ctx, findLocalTime));
  ctx.jobs.handle("unused_email", (job) => sendUnusedEmail(ctx, job));
}
