import { join, resolve } from "node:path";
import { PRIVACY_VERSIONS, TERMS_VERSIONS } from "@alcove/contract/legal-versions";
import { RETENTION } from "@alcove/contract/retention";
import { mergeRegions, REGIONS, type Regions } from "@alcove/contract/regions";
import { ConfigReader, type Environment, isLoopback } from "./platform/config-reader.ts";
import { readApns, readFcm } from "./integrations/push/config.ts";
import { findConsoleProblems } from "./platform/security/console-exposure.ts";
import { findExposureProblems } from "./platform/security/exposure.ts";

export class ConfigError extends Error {
  override name = "ConfigError";
}

export type PayPalAccount = NonNullable<Config["paypal"]>;

const BANK_DETAILS_MAX = 1_000;
const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

/** @throws ConfigError with all problems */
export function readConfig(env: Environment) {
  const read = new ConfigReader(env);
  const isDemo = env["ALCOVE_DEMO"] === "1";
  const host = read.text("HOST", "127.0.0.1");
  const dataDir = resolve(read.text("DATA_DIR", "./data"));
  const secretsDir = resolve(read.text("SECRETS_DIR", join(dataDir, "secrets")));
  const config = {
    isDemo,
    port: read.wholeNumber("PORT", 3000, [0, 65_535]),
    host,
    isLoopback: isLoopback(host),
    publicUrl: read.origin("PUBLIC_URL"),
    brandName: read.plainText("BRAND_NAME", "Alcove"),
    consolePort: read.port("CONSOLE_PORT"),
    consoleHost: read.text("CONSOLE_HOST", "127.0.0.1"),
    consoleUrl: read.origin("CONSOLE_URL"),
    nativeOrigins: read.origins("NATIVE_ORIGINS", "https://localhost,capacitor://localhost"),
    nativeAppId: read.appId("NATIVE_APP_ID", "example.alcove.app"),
    androidCertificates: read.certificates("ANDROID_CERT_SHA256"),
    iosAppId: read.iosAppId("IOS_APP_ID"),
    dataDir,
    secretsDir,
    deletionsDir: resolve(read.text("DELETIONS_DIR", join(secretsDir, "deletions"))),
    databaseUrl: read.url("DATABASE_URL", null, ["postgres:", "postgresql:"]),
    natsUrl: read.url("NATS_URL", null, ["nats:", "tls:"]),
    s3: read.bucket(),
    vapid: read.pushKeys(),
    pushLocalOrigin: read.localOrigin("PUSH_LOCAL_ORIGIN"),
    nativePurchases: read.oneOf("NATIVE_PURCHASES", "browser", ["browser", "hidden"]),
    fcm: readFcm(read),
    apns: readApns(read),
    smtpUrl: read.url("SMTP_URL", null, ["smtp:", "smtps:"]),
    mailFrom: read.sender("MAIL_FROM"),
    supportEmail: read.plainText("SUPPORT_EMAIL", "hello@alcove.example"),
    operator: {
      name: read.longText("OPERATOR_NAME"),
      address: read.longText("OPERATOR_ADDRESS"),
      phone: read.longText("OPERATOR_PHONE"),
      register: read.longText("OPERATOR_REGISTER"),
      taxId: read.longText("OPERATOR_TAX_ID"),
      representative: read.longText("OPERATOR_REPRESENTATIVE"),
    },
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
    bankDetails: readBankDetails(read),
    regions: readRegions(read),
    isCountryRequired: read.oneOf("COUNTRY_REQUIRED", "off", ["on", "off"]) === "on",
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
    brokerageHoldDays: read.wholeNumber("BROKERAGE_HOLD_DAYS", 30, [0, 3_650]),
    ageCheck: read.oneOf("AGE_CHECK", "off", ["off", "document"]),
    unusedMonths: read.wholeNumber("UNUSED_MONTHS", RETENTION.unusedMonths, [0, 120]),
    hasRateLimits: read.oneOf("RATE_LIMITS", "on", ["on", "off"]) === "on",
    delaysCrowdedNetworks: read.oneOf("DELAY_CROWDED_NETWORKS", "off", ["on", "off"]) === "on",
    pictureReview: read.oneOf("PICTURE_REVIEW", "after", ["off", "after", "before"]),
    drainSeconds: read.wholeNumber("DRAIN_SECONDS", 0, [0, 300]),
    trustProxy: read.oneOf("TRUST_PROXY", "off", ["on", "off"]) === "on",
    // Tests replace them.
    legalVersions: { terms: TERMS_VERSIONS, privacy: PRIVACY_VERSIONS },
    logLevel: read.oneOf("LOG_LEVEL", "info", LOG_LEVELS),
    metricsToken: read.text("METRICS_TOKEN", null),
    traces: {
      endpoint: read.url("OTEL_EXPORTER_OTLP_ENDPOINT", null, ["http:", "https:"]),
      ratio: read.ratio("OTEL_TRACES_SAMPLER_ARG", 1),
    },
  };
  findProblems(read, config);
  if (read.problems.length > 0) throw new ConfigError(read.problems.join("\n"));
  return config;
}

export type Config = ReturnType<typeof readConfig>;

/** Adds the problems of settings that do not fit together. */
function findProblems(read: ConfigReader, config: Config): void {
  const { publicUrl, trustProxy, paypal } = config;
  const isLocalServer = config.isLoopback && !trustProxy && isLocal(publicUrl);
  if (config.isPayPalSandbox && !(paypal && isLocal(paypal.apiUrl) && isLocalServer)) {
    read.problems.push(
      "PAYPAL_SANDBOX=on needs a PayPal account and a server that only this machine can reach.",
    );
  }
  if (config.unusedMonths > 0 && config.unusedMonths < 3) {
    read.problems.push("UNUSED_MONTHS must be 0 or at least 3, because emails come before the deletion.");
  }
  if (config.botCheck === "recaptcha" && !(config.recaptchaSiteKey && config.recaptchaSecret)) {
    read.problems.push("BOT_CHECK=recaptcha needs RECAPTCHA_SITE_KEY and RECAPTCHA_SECRET.");
  }
  if (!config.isLoopback || trustProxy) {
    const cause = config.isLoopback ? "TRUST_PROXY=on" : `HOST=${config.host}`;
    read.problems.push(...findExposureProblems(read, { cause, ...config }));
  }
  read.problems.push(...findConsoleProblems(config));
}

/** `\n` begins a line. */
function readBankDetails(read: ConfigReader): string | null {
  const details = read.text("BANK_DETAILS", null)?.replaceAll("\\n", "\n") ?? null;
  if (details !== null && details.length > BANK_DETAILS_MAX)
    read.problems.push(`BANK_DETAILS must have at most ${BANK_DETAILS_MAX} characters.`);
  return details;
}

function readRegions(read: ConfigReader): Regions {
  const changes = read.jsonFile("REGIONS_FILE");
  const merged = changes === null ? { regions: REGIONS } : mergeRegions(changes);
  if ("regions" in merged) return merged.regions;
  read.problems.push(...merged.problems.map((problem) => `REGIONS_FILE: ${problem}.`));
  return REGIONS;
}

function isLocal(url: string | null): boolean {
  return url === null || isLoopback(new URL(url).hostname);
}
