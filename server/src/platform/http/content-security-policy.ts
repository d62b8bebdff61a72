import { createHash } from "node:crypto";
import type { Config } from "../../config.ts";

/** `recaptchaFrame` is the page that the login and the native app open in a frame. */
export type ExternalService = "none" | "recaptcha" | "recaptchaFrame" | "paypal";

export function contentSecurityPolicy(html: string, config: Config, service: ExternalService): string {
  const inline = [
    ...html.matchAll(/<script(?![^>]*\bsrc=)(?![^>]*type="application\/json")[^>]*>([\s\S]*?)<\/script>/g),
  ];
  const hashes = inline.map(([, code = ""]) => hashOf(code));
  const styles = [...html.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, css = ""]) => hashOf(css));
  const sockets = config.publicUrl ? [config.publicUrl.replace(/^http/, "ws")] : [];
  const sources = sourcesOf(service, config);
  const needsFrame = config.botCheck === "recaptcha" && !service.startsWith("recaptcha");
  const frames = [...(needsFrame ? ["'self'"] : []), ...sources.frames];
  return [
    "default-src 'none'",
    ["script-src 'self'", ...new Set(hashes), ...sources.scripts].join(" "),
    ["style-src 'self'", ...styles, ...sources.styles].join(" "),
    ["img-src 'self' blob: data:", ...sources.pictures].join(" "),
    "media-src 'self' blob:",
    "font-src 'self' data:",
    ["connect-src 'self'", ...sockets, ...sources.calls].join(" "),
    ...(frames.length > 0 ? [["frame-src", ...frames].join(" ")] : []),
    "worker-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${service === "recaptchaFrame" ? ["'self'", ...config.nativeOrigins].join(" ") : "'none'"}`,
  ].join("; ");
}

function hashOf(code: string): string {
  return `'sha256-${createHash("sha256").update(code).digest("base64")}'`;
}

interface Sources {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
  readonly pictures: readonly string[];
  readonly calls: readonly string[];
  readonly frames: readonly string[];
}

const NO_SOURCES: Sources = { scripts: [], styles: [], pictures: [], calls: [], frames: [] };
const PAYPAL = ["https://*.paypal.com", "https://*.paypalobjects.com"];
/** PayPal documents these; its buttons have inline styles. */
const PAYPAL_SOURCES: Sources = {
  scripts: PAYPAL,
  styles: ["'unsafe-inline'"],
  pictures: PAYPAL,
  calls: PAYPAL,
  frames: PAYPAL,
};

function sourcesOf(service: ExternalService, config: Config): Sources {
  if (service === "recaptcha" || service === "recaptchaFrame")
    return { ...NO_SOURCES, ...recaptchaSources(config.recaptchaScriptUrl) };
  const script = service === "paypal" ? paypalScriptUrlOf(config) : null;
  if (script === null) return NO_SOURCES;
  const { origin } = new URL(script);
  return isPayPalHost(script) ? PAYPAL_SOURCES : { ...NO_SOURCES, scripts: [origin], calls: [origin] };
}

function recaptchaSources(scriptUrl: string) {
  const folder = new URL(".", scriptUrl).href;
  const isGoogleHost = /(?:^|\.)(?:google\.com|recaptcha\.net)$/.test(new URL(scriptUrl).hostname);
  return {
    scripts: [folder, ...(isGoogleHost ? ["https://www.gstatic.com/recaptcha/"] : [])],
    frames: [folder, ...(isGoogleHost ? ["https://recaptcha.google.com/recaptcha/"] : [])],
    calls: [folder],
  };
}

export function paypalScriptUrlOf({ paypal, paypalScriptUrl }: Config): string | null {
  if (paypal === null) return null;
  return paypalScriptUrl ?? (isPayPalHost(paypal.apiUrl) ? "https://www.paypal.com/sdk/js" : null);
}

function isPayPalHost(url: string): boolean {
  return new URL(url).hostname.endsWith(".paypal.com");
}
