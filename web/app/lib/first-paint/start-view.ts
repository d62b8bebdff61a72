import { readScript } from "../../device/stored.ts";
import { DRAFT_LIFE_MS } from "../session/draft-expiry.ts";

/** The state of a navigation to the login. It fills in the id of an account that was just created or reset. */
export interface LoginState {
  readonly userId: string;
  readonly after: "signUp" | "reset";
}

/** On the root element while a member is logged in. */
export const MEMBER_ATTRIBUTE = "data-member";

const isMember = () => `${readScript("session")} !== null`;
const isLocked = () => `${readScript("lock")} !== null`;

/** Classes of the parts that a built page holds beside each other. The style sheet shows those of one view. */
export const startClass = {
  visitor: "start-visitor",
  home: "start-home",
  landing: "start-landing",
  login: "start-login",
  form: "start-form",
  opener: "start-opener",
  email: "start-email",
  draft: "start-draft",
  invitation: "start-invitation",
  passkeys: "start-passkeys",
} as const;

/**
 * Names the view of a built page in `data-start`, before the first paint. Without it the page shows the login, or the
 * first step of the sign-up.
 *
 * The device token of an earlier login marks a known device. A shared computer has none.
 */
export const startScript = () => `try {
  const page = document.documentElement.dataset;
  const [language, screen = "", ...below] = location.pathname.toLowerCase().split("/").filter(Boolean);
  const isAt = (name) => screen === name && below.length === 0;
  const isMember = ${isMember()};
  if (isMember) page.member = "";
  if (isMember && (isAt("sign-up") || (isAt("login") && !location.search))) {
    location.replace("/" + language);
  } else if (isMember && isAt("login")) {
    page.start = "leaving";
  } else if (isMember && ${isLocked()}) {
    page.start = "locked";
  } else if (isAt("")) {
    const isKnown = ${readScript("device", "browser")} ?? ${readScript("ending")};
    page.start = isMember ? "home" : isKnown ? "login" : "landing";
  } else if (isAt("sign-up")) {
    const draft = JSON.parse(${readScript("signUp", "tab")});
    const isCurrent = draft && Math.abs(Date.now() - draft.savedAt) < ${DRAFT_LIFE_MS};
    const hasStarted = isCurrent && draft.step !== "email";
    if (hasStarted || location.hash.includes("access_token=")) page.start = "draft";
  } else if (isAt("reset-password")) {
    const draft = JSON.parse(${readScript("reset", "tab")});
    const isCurrent = draft && Math.abs(Date.now() - draft.savedAt) < ${DRAFT_LIFE_MS};
    if (isCurrent && draft.sentAt !== null) page.start = "draft";
  }
} catch {}`;
