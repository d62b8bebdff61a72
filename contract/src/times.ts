/** How long a notice stays. */
export const BANNER_MS = 5_000;
export const PULL_RELOAD_PX = 300;

/** From a successful login to the next screen. */
export const LOGIN_REDIRECT_MS = 550;
