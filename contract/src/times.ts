export const BANNER_MS = 5_000;
export const PULL_RELOAD_PX = 300;

export const LOGIN_REDIRECT_MS = 550;
