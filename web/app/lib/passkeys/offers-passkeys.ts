import { settings } from "../page/settings.ts";

/** On the root element where passkeys work. */
export const PASSKEYS_ATTRIBUTE = "data-passkeys";

/**
 * Marks a page that may use passkeys, before the first paint: at the public address, or at localhost of a service without
 * one. WebAuthn knows no addresses of numbers.
 */
export const passkeyScript = () => `try {
  const origin = "${settings.origin}";
  const { hostname } = location;
  const isOurs = origin ? location.origin === origin && !/^[\\d.]+$|:/.test(hostname) : hostname === "localhost";
  if (isOurs && "parseRequestOptionsFromJSON" in PublicKeyCredential)
    document.documentElement.setAttribute("${PASSKEYS_ATTRIBUTE}", "");
} catch {}`;

export const offersPasskeys = (): boolean =>
  !import.meta.env.SSR && document.documentElement.hasAttribute(PASSKEYS_ATTRIBUTE);
