import {
  botChallenge,
  checkSignUpCode,
  confirmPassword as confirmPasswordCall,
  deleteAccount,
  exportData as exportDataCall,
  getExportTicket,
  endOtherSessions as endOtherSessionsCall,
  endSession,
  getOwnUser,
  getSessions,
  getWsTicket,
  logIn as logInCall,
  logInSocially,
  logOut as logOutCall,
  readSocialAccount,
  refreshTokens as refreshTokensCall,
  previewSignUpIcon as previewSignUpIconCall,
  register as registerCall,
  requestSignUpCode,
  socialAccountExists,
} from "@alcove/contract/accounts";
import {
  changePassword as changePasswordCall,
  checkResetCode,
  requestResetCode,
  resetPassword as resetPasswordCall,
} from "@alcove/contract/passwords";
import type { ValidationErrors } from "@alcove/contract/fields";
import type { Language } from "@alcove/i18n";
import { fieldSentence } from "../platform/language.ts";
import { type App, mount, mountFile, mountPublic } from "../platform/mount.ts";
import { presentOwnUser } from "../profiles/index.ts";
import { giveChallenge } from "./bot-check.ts";
import { changePassword, faultsOf as newPasswordFaults } from "./change-password.ts";
import { confirmPassword } from "./confirming.ts";
import { deleteMember } from "./deletion.ts";
import { exportAccount, exportData } from "./export.ts";
import { identify, isMember, logInWithGoogle } from "./google.ts";
import { sendCodeLetter, sendPasswordLetter } from "./letters.ts";
import { logIn } from "./log-in.ts";
import { forgetInviter } from "./members.sql.ts";
import * as reset from "./reset-password.ts";
import { endOtherSessions, endOwnSession, listSessions, logOut, refreshTokens } from "./sessions.ts";
import * as signUp from "./sign-up.ts";
import { sweep } from "./sweep.ts";
import { giveTicket } from "./tickets.ts";

/** A first step tells the faults of its fields in its normal answer (decisions, section 4). */
function whenInvalid(errors: ValidationErrors, lang: Language): { error_message: string } {
  return { error_message: fieldSentence(lang, Object.values(errors)[0]![0]!) };
}

/** Sign-up, passwords, login, tokens and deletion. */
export function accountRoutes(app: App): void {
  const { deps } = app;
  mountPublic(app, botChallenge, ({ input }) => giveChallenge(deps, input.action));
  mountPublic(app, requestSignUpCode, ({ input, lang, ip }) => signUp.requestCode(deps, input, lang, ip), {
    whenInvalid,
  });
  mountPublic(app, checkSignUpCode, ({ input }) => signUp.checkCode(deps, input.email, input.code));
  mountPublic(app, registerCall, ({ input, lang, ip }) => signUp.register(deps, input, lang, ip), {
    faultsBeside: ({ right }) => signUp.faultsOf(deps, right),
  });
  mountPublic(app, previewSignUpIconCall, ({ input, ip }) => signUp.previewSignUpIcon(deps, input, ip));
  mountPublic(app, requestResetCode, ({ input, lang, ip }) => reset.requestCode(deps, input, lang, ip), {
    whenInvalid,
  });
  mountPublic(app, checkResetCode, ({ input }) => reset.checkCode(deps, input.email, input.code));
  mountPublic(app, resetPasswordCall, ({ input }) => reset.resetPassword(deps, input));
  mount(app, changePasswordCall, ({ me, input }) => changePassword(deps, me, input), {
    faultsBeside: ({ me, right }) => newPasswordFaults(me, right),
  });
  mountPublic(app, logInCall, ({ input, ...from }) => logIn(deps, input, from));
  mountPublic(app, socialAccountExists, async ({ input, ip }) =>
    isMember(deps, await identify(deps, input.accessToken, ip)),
  );
  mountPublic(app, readSocialAccount, async ({ input, ip }) => {
    const { email } = await identify(deps, input.accessToken, ip);
    return { email };
  });
  mountPublic(app, logInSocially, ({ input, ...from }) => logInWithGoogle(deps, input, from));
  mountPublic(app, refreshTokensCall, ({ input }) => refreshTokens(deps, input.refresh, input.clientId));
  mountPublic(app, logOutCall, ({ input, access }) => logOut(deps, input.token, access));
  mount(app, getOwnUser, async ({ me }) => ({ user: await presentOwnUser(deps, me) }));
  mount(app, confirmPasswordCall, ({ me, input }) => confirmPassword(deps, me, input.password));
  mount(app, deleteAccount, async ({ me }) => void (await deleteMember(deps, me.no)));
  mount(app, getWsTicket, ({ me }) => giveTicket(deps, me, "socket"), { limit: "tickets" });
  mount(app, getExportTicket, ({ me }) => giveTicket(deps, me, "file"), { limit: "tickets" });
  mountFile(app, exportDataCall, ({ me }) => exportData(deps, me), { limit: "exports" });
  mount(app, getSessions, async ({ me, lang }) => ({ sessions: await listSessions(deps, me, lang) }));
  mount(app, endSession, ({ me, input }) => endOwnSession(deps, me, input.sessionId));
  mount(app, endOtherSessionsCall, ({ me }) => endOtherSessions(deps, me));

  deps.exports.add((tx, me) => exportAccount(tx, deps, me));
  deps.jobs.handle("forget_inviter", ({ no }) => forgetInviter(deps.db, no));
  deps.jobs.handle("sign_up_letter", (job) => sendCodeLetter(deps, "sign_up", job));
  deps.jobs.handle("reset_password_letter", (job) => sendCodeLetter(deps, "reset_password", job));
  deps.jobs.handle("password_changed_letter", (job) => sendPasswordLetter(deps, job));
  deps.jobs.handleEvery("*/10 * * * *", "sweep_accounts", () => sweep(deps));
}
