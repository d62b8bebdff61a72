import { resolve } from "node:path";

/** A setting that is missing or wrong, or does not fit this machine: its message alone is told at start. */
export class ConfigError extends Error {
  override name = "SettingsProblem";
}

type Environment = Record<string, string | undefined>;

/** Reads one variable at a time and collects what is wrong with all of them. */
class Reader {
  readonly problems: string[] = [];
  readonly #env: Environment;

  constructor(env: Environment) {
    this.#env = env;
  }

  text<Default extends string | null>(name: string, whenUnset: Default): string | Default {
    const value = this.#env[name]?.trim();
    return value ? value : whenUnset;
  }

  /** Text that is filled into pages and letters as it is: without characters that HTML or JSON would read as theirs. */
  plainText(name: string, whenUnset: string): string {
    const value = this.text(name, whenUnset);
    if (/^[^<>"&\\\p{Cc}]{1,80}$/u.test(value)) return value;
    this.problems.push(`${name} must be at most 80 characters without < > " & and \\.`);
    return whenUnset;
  }

  /** Long enough that nobody tries them all: what `openssl rand -base64 32` prints, for example. */
  secret(name: string): string | null {
    const value = this.text(name, null);
    if (value === null || value.length >= SECRET_MIN) return value;
    this.problems.push(`${name} must have at least ${SECRET_MIN} characters.`);
    return null;
  }

  wholeNumber(name: string, whenUnset: number, [min, max]: [number, number]): number {
    const value = this.text(name, null);
    if (value === null) return whenUnset;
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= min && number <= max) return number;
    this.problems.push(`${name} must be a whole number from ${min} to ${max}, not "${value}".`);
    return whenUnset;
  }

  oneOf<const Choice extends string>(name: string, whenUnset: Choice, choices: readonly Choice[]): Choice {
    const value = this.text(name, whenUnset);
    const chosen = choices.find((choice) => choice === value);
    if (chosen) return chosen;
    this.problems.push(`${name} must be ${choices.join(" or ")}, not "${value}".`);
    return whenUnset;
  }

  url<Default extends string | null>(
    name: string,
    whenUnset: Default,
    protocols: readonly string[],
  ): string | Default {
    const value = this.text(name, null);
    if (value === null) return whenUnset;
    if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) return value;
    this.problems.push(
      `${name} must be an address beginning with ${protocols.map((p) => `${p}//`).join(" or ")}.`,
    );
    return whenUnset;
  }

  /** Where secrets are sent to, and what is filled into pages: https, or http on this machine. */
  secureUrl(name: string, whenUnset: string): string {
    const value = this.text(name, whenUnset);
    const url = URL.canParse(value) && /^[^<>"'\\\s]+$/.test(value) ? new URL(value) : null;
    const isHere = url?.protocol === "http:" && isLoopback(url.hostname);
    if (url?.protocol === "https:" || isHere) return value;
    this.problems.push(`${name} must be an address beginning with https://, such as ${whenUnset}.`);
    return whenUnset;
  }

  /** A name that another service gave us, such as a client id; it may be seen. */
  publicKey(name: string): string | null {
    const value = this.text(name, null);
    if (value === null || /^[\w.-]{1,200}$/.test(value)) return value;
    this.problems.push(`${name} may hold letters, digits, dots, hyphens and underscores only.`);
    return null;
  }

  /** An address without anything behind its host. */
  origin(name: string): string | null {
    const value = this.url(name, null, ["http:", "https:"]);
    if (value === null || isOrigin(value)) return value?.replace(/\/$/, "") ?? null;
    this.problems.push(`${name} must be an address without a path, such as https://alcove.example.`);
    return null;
  }

  origins(name: string, whenUnset: string): readonly string[] {
    const origins = this.text(name, whenUnset)
      .split(",")
      .map((origin) => origin.trim())
      .filter(Boolean);
    if (origins.every((origin) => !origin.endsWith("/") && isOrigin(origin))) return origins;
    this.problems.push(`${name} must be a list of origins, such as ${whenUnset}.`);
    return [];
  }

  /** `address` or `Name <address>`. */
  sender(name: string): string | null {
    const value = this.text(name, null);
    if (value === null || /^([^<>]*<[^<>\s@]+@[^<>\s@]+>|[^<>\s@]+@[^<>\s@]+)$/.test(value)) return value;
    this.problems.push(`${name} must be an e-mail address, such as Alcove <hello@alcove.example>.`);
    return null;
  }

  /** `id:base64,…` with 32 bytes each; the first one seals. */
  keys(name: string): readonly EncryptionKey[] | null {
    const value = this.text(name, null);
    if (value === null) return null;
    const keys = value.split(",").map((entry) => {
      const [id = "", base64 = ""] = entry.trim().split(":", 2);
      return { id, key: Buffer.from(base64, "base64") };
    });
    const areKeys = keys.every(({ id, key }) => /^[A-Za-z0-9_-]{1,32}$/.test(id) && key.length === 32);
    if (areKeys && new Set(keys.map(({ id }) => id)).size === keys.length) return keys;
    this.problems.push(
      `${name} must be a list of id:base64 with 32 bytes each, every id once, such as k1:${"A".repeat(43)}=.`,
    );
    return null;
  }

  /** The keys for push services, as `npx web-push generate-vapid-keys` prints them. */
  pushKeys(): { publicKey: string; privateKey: string } | null {
    const given = this.allOrNone(["VAPID_PUBLIC_KEY", "VAPID_PRIVATE_KEY"]);
    if (!given) return null;
    const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey } = given;
    const sizeOf = (key: string) => Buffer.from(key, "base64url").length;
    if (sizeOf(publicKey) === 65 && sizeOf(privateKey) === 32) return { publicKey, privateKey };
    this.problems.push("VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY must be a pair of keys in base64url.");
    return null;
  }

  /** An address on this machine, without anything behind its host. */
  localOrigin(name: string): string | null {
    const value = this.origin(name);
    if (value === null || isLoopback(new URL(value).hostname)) return value;
    this.problems.push(`${name} must be an address of this machine, such as http://127.0.0.1:4000.`);
    return null;
  }

  /** Variables that mean something together only; null when none of them is set. */
  allOrNone<const Name extends string>(names: readonly Name[]): Record<Name, string> | null {
    const given = names.filter((name) => this.text(name, null) !== null);
    const missing = names.filter((name) => !given.includes(name));
    if (given.length > 0 && missing.length > 0)
      this.problems.push(`${missing.join(", ")} must be set too, because ${given.join(", ")} is.`);
    if (missing.length > 0) return null;
    return Object.fromEntries(names.map((name) => [name, this.text(name, "")])) as Record<Name, string>;
  }

  /** Our account at PayPal; null where there is none. */
  paypal() {
    const names = ["PAYPAL_CLIENT_ID", "PAYPAL_CLIENT_SECRET"] as const;
    const set = this.allOrNone(names);
    const clientId = this.publicKey("PAYPAL_CLIENT_ID");
    const apiUrl = this.secureUrl("PAYPAL_API_URL", "https://api-m.paypal.com");
    const webhookId = this.publicKey("PAYPAL_WEBHOOK_ID");
    const hasNone = names.every((name) => this.text(name, null) === null);
    for (const name of ["PAYPAL_API_URL", "PAYPAL_WEBHOOK_ID"]) {
      if (hasNone && this.text(name, null) !== null)
        this.problems.push(`${name} needs ${names.join(" and ")}.`);
    }
    if (set === null || clientId === null) return null;
    return {
      apiUrl: apiUrl.replace(/\/+$/, ""),
      clientId,
      clientSecret: set.PAYPAL_CLIENT_SECRET,
      webhookId,
    };
  }

  /** Where PayPal's script for pages is; null for PayPal's own, and for none beside a stand-in. */
  paypalScriptUrl(name: string, needed: string): string | null {
    if (this.text(name, null) === null) return null;
    if (this.text(needed, null) === null) this.problems.push(`${name} needs ${needed}.`);
    return this.secureUrl(name, "https://www.paypal.com/sdk/js");
  }

  /** What stands on a member's card statement: what PayPal takes there, and a shared statement tells nobody. */
  statementText(name: string, whenUnset: string): string {
    const value = this.text(name, whenUnset);
    if (/^[A-Za-z0-9 .*-]{1,22}$/.test(value)) return value;
    this.problems.push(
      `${name} may hold at most 22 letters A to Z, digits, spaces and . * -, not "${value}".`,
    );
    return whenUnset;
  }

  /** The bucket that keeps pictures instead of a folder. */
  bucket() {
    const set = this.allOrNone([
      "S3_ENDPOINT",
      "S3_BUCKET",
      "S3_REGION",
      "S3_ACCESS_KEY_ID",
      "S3_SECRET_ACCESS_KEY",
    ]);
    const endpoint = this.url("S3_ENDPOINT", null, ["http:", "https:"]);
    if (set === null || endpoint === null) return null;
    return {
      endpoint,
      bucket: set.S3_BUCKET,
      region: set.S3_REGION,
      accessKeyId: set.S3_ACCESS_KEY_ID,
      secretAccessKey: set.S3_SECRET_ACCESS_KEY,
    };
  }

  timeZone(name: string, whenUnset: string): string {
    const value = this.text(name, whenUnset);
    try {
      new Intl.DateTimeFormat("en", { timeZone: value });
      return value;
    } catch {
      this.problems.push(`${name} must be a time zone such as Asia/Tokyo, not "${value}".`);
      return whenUnset;
    }
  }
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host === "[::1]" || host.startsWith("127.");
}

function isLocal(url: string | null): boolean {
  return url === null || isLoopback(new URL(url).hostname);
}

function isOrigin(value: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/?#@\s]+\/?$/i.test(value) && URL.canParse(value);
}

/** Our account at PayPal, or at what stands in for it. */
export type PayPalAccount = NonNullable<Config["paypal"]>;

export interface EncryptionKey {
  readonly id: string;
  readonly key: Buffer;
}

const SECRET_MIN = 16;
const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

/**
 * Reads and checks every environment variable (decisions, section 7).
 *
 * @throws SettingsProblem naming all that is wrong at once.
 */
export function readConfig(env: Environment) {
  const read = new Reader(env);
  const isDemo = env["ALCOVE_DEMO"] === "1";
  const host = read.text("HOST", "127.0.0.1");
  const dataDir = resolve(read.text("DATA_DIR", "./data"));
  const config = {
    isDemo,
    port: read.wholeNumber("PORT", 3000, [0, 65_535]),
    host,
    isLoopback: isLoopback(host),
    publicUrl: read.origin("PUBLIC_URL"),
    brandName: read.plainText("BRAND_NAME", "Alcove"),
    nativeOrigins: read.origins("NATIVE_ORIGINS", "https://localhost,capacitor://localhost"),
    dataDir,
    databaseUrl: read.url("DATABASE_URL", null, ["postgres:", "postgresql:"]),
    natsUrl: read.url("NATS_URL", null, ["nats:", "tls:"]),
    s3: read.bucket(),
    vapid: read.pushKeys(),
    pushLocalOrigin: read.localOrigin("PUSH_LOCAL_ORIGIN"),
    smtpUrl: read.url("SMTP_URL", null, ["smtp:", "smtps:"]),
    mailFrom: read.sender("MAIL_FROM"),
    supportEmail: read.plainText("SUPPORT_EMAIL", "hello@alcove.example"),
    botCheck: read.oneOf("BOT_CHECK", "altcha", ["altcha", "recaptcha", "off"]),
    recaptchaSiteKey: read.publicKey("RECAPTCHA_SITE_KEY"),
    recaptchaSecret: read.text("RECAPTCHA_SECRET", null),
    recaptchaVerifyUrl: read.secureUrl(
      "RECAPTCHA_VERIFY_URL",
      "https://www.google.com/recaptcha/api/siteverify",
    ),
    recaptchaScriptUrl: read.secureUrl("RECAPTCHA_SCRIPT_URL", "https://www.google.com/recaptcha/api.js"),
    googleClientId: read.publicKey("GOOGLE_CLIENT_ID"),
    googleAuthUrl: read.secureUrl("GOOGLE_AUTH_URL", "https://accounts.google.com/o/oauth2/v2/auth"),
    googleTokeninfoUrl: read.secureUrl("GOOGLE_TOKENINFO_URL", "https://oauth2.googleapis.com/tokeninfo"),
    googleUserinfoUrl: read.secureUrl(
      "GOOGLE_USERINFO_URL",
      "https://openidconnect.googleapis.com/v1/userinfo",
    ),
    paypal: read.paypal(),
    isPayPalSandbox: read.oneOf("PAYPAL_SANDBOX", "off", ["on", "off"]) === "on",
    paypalScriptUrl: read.paypalScriptUrl("PAYPAL_SCRIPT_URL", "PAYPAL_CLIENT_ID"),
    statementText: read.statementText("STATEMENT_TEXT", "ONLINE SERVICES"),
    faceDetection: read.oneOf("FACE_DETECTION", "on", ["on", "off"]) === "on",
    tokenSecret: read.secret("TOKEN_SECRET"),
    mediaSecret: read.secret("MEDIA_SECRET"),
    encryptionKeys: read.keys("SEALING_KEYS"),
    passwordPepper: read.secret("PASSWORD_PEPPER"),
    freeCardsPerDay: read.wholeNumber("FREE_CARDS_PER_DAY", isDemo ? 50 : 1, [0, 1_000_000]),
    paidLikesPerDay: read.wholeNumber("PAID_LIKES_PER_DAY", 50, [0, 1_000_000]),
    passDays: read.wholeNumber("PASS_DAYS", 90, [0, 36_500]),
    dayTimeZone: read.timeZone("DAY_TIME_ZONE", "UTC"),
    brokeragePercentage: read.wholeNumber("BROKERAGE_PERCENTAGE", 20, [0, 100]),
    hasRateLimits: read.oneOf("RATE_LIMITS", "on", ["on", "off"]) === "on",
    trustProxy: read.oneOf("TRUST_PROXY", "off", ["on", "off"]) === "on",
    logLevel: read.oneOf("LOG_LEVEL", "info", LOG_LEVELS),
    metricsToken: read.text("METRICS_TOKEN", null),
  };
  const { publicUrl, trustProxy, paypal } = config;
  const isLocalServer = config.isLoopback && !trustProxy && isLocal(publicUrl);
  if (config.isPayPalSandbox && !(paypal && isLocal(paypal.apiUrl) && isLocalServer)) {
    read.problems.push(
      "PAYPAL_SANDBOX=on needs a PayPal account and a server that only this machine can reach.",
    );
  }
  if (config.botCheck === "recaptcha" && !(config.recaptchaSiteKey && config.recaptchaSecret)) {
    read.problems.push("BOT_CHECK=recaptcha needs RECAPTCHA_SITE_KEY and RECAPTCHA_SECRET.");
  }
  if (read.problems.length > 0) throw new ConfigError(read.problems.join("\n"));
  return config;
}

export type Config = ReturnType<typeof readConfig>;
