import {
  botChallenge,
  checkSignUpCode,
  confirmPassword as confirmPasswordCall,
  deleteAccount,
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
import { fieldSentence } from "../platform/language.ts";
import { type App, mount, mountPublic } from "../platform/mount.ts";
import { presentOwnUser } from "../profiles/index.ts";
import { giveChallenge } from "./bot-check.ts";
import { confirmPassword } from "./confirming.ts";
import { deleteMember } from "./deletion.ts";
import { identify, isMember, logInWithGoogle } from "./google.ts";
import { sendSignUpLetter } from "./letters.ts";
import { logIn } from "./log-in.ts";
import { forgetInviter } from "./members.sql.ts";
import { endOtherSessions, endOwnSession, listSessions, logOut, refreshTokens } from "./sessions.ts";
import { checkCode, previewSignUpIcon, register, requestCode } from "./sign-up.ts";
import { sweep } from "./sweep.ts";
import { giveTicket } from "./tickets.ts";

/** Sign-up, login, tokens and deletion. */
export function accountRoutes(app: App): void {
  const { deps } = app;
  mountPublic(app, botChallenge, ({ input }) => giveChallenge(deps, input.action));
  mountPublic(app, requestSignUpCode, ({ input, lang, ip }) => requestCode(deps, input, lang, ip), {
    whenInvalid: (errors, lang) => ({ error_message: fieldSentence(lang, Object.values(errors)[0]![0]!) }),
  });
  mountPublic(app, checkSignUpCode, ({ input }) => checkCode(deps, input.email, input.code));
  mountPublic(app, registerCall, ({ input, lang }) => register(deps, input, lang));
  mountPublic(app, previewSignUpIconCall, ({ input }) => previewSignUpIcon(deps, input));
  mountPublic(app, logInCall, ({ input, ...from }) => logIn(deps, input, from));
  mountPublic(app, socialAccountExists, async ({ input }) =>
    isMember(deps, await identify(deps, input.accessToken)),
  );
  mountPublic(app, readSocialAccount, async ({ input }) => {
    const { email } = await identify(deps, input.accessToken);
    return { email };
  });
  mountPublic(app, logInSocially, ({ input, userAgent }) => logInWithGoogle(deps, input, userAgent));
  mountPublic(app, refreshTokensCall, ({ input }) => refreshTokens(deps, input.refresh, input.clientId));
  mountPublic(app, logOutCall, ({ input }) => logOut(deps, input.token));
  mount(app, getOwnUser, async ({ me }) => ({ user: await presentOwnUser(deps, me.no) }));
  mount(app, confirmPasswordCall, ({ me, input }) => confirmPassword(deps, me, input.password));
  mount(app, deleteAccount, async ({ me }) => void (await deleteMember(deps, me.no)));
  mount(app, getWsTicket, ({ me }) => giveTicket(deps, me), { limit: "tickets" });
  mount(app, getSessions, async ({ me, lang }) => ({ sessions: await listSessions(deps, me, lang) }));
  mount(app, endSession, ({ me, input }) => endOwnSession(deps, me, input.sessionId));
  mount(app, endOtherSessionsCall, ({ me }) => endOtherSessions(deps, me));

  deps.jobs.handle("forget_inviter", ({ no }) => forgetInviter(deps.db, no));
  deps.jobs.handle("sign_up_letter", (job) => sendSignUpLetter(deps, job));
  deps.jobs.handleEvery("*/10 * * * *", "sweep_accounts", () => sweep(deps));
}
