import { readFileSync } from "node:fs";
export type Environment = Record<string, string | undefined>;

export interface EncryptionKey {
  readonly id: string;
  readonly key: Buffer;
}

const SECRET_MIN = 16;

export class ConfigReader {
  readonly problems: string[] = [];
  readonly #env: Environment;

  constructor(env: Environment) {
    this.#env = env;
  }

  text<Default extends string | null>(name: string, fallback: Default): string | Default {
    const value = this.#env[name]?.trim();
    return value ? value : fallback;
  }

  /** Pages and emails contain the text as it is. */
  plainText(name: string, fallback: string): string {
    const value = this.text(name, fallback);
    if (/^[^<>"&\\\p{Cc}]{1,80}$/u.test(value)) return value;
    this.problems.push(`${name} must be at most 80 characters without < > " & and \\.`);
    return fallback;
  }

  /** For names and addresses, which pages and emails escape. */
  longText(name: string): string | null {
    const value = this.text(name, null);
    if (value === null || /^[^<>"\\\p{Cc}]{1,300}$/u.test(value)) return value;
    this.problems.push(`${name} must be one line of at most 300 characters without < > " and \\.`);
    return null;
  }

  secret(name: string): string | null {
    const value = this.text(name, null);
    if (value === null || value.length >= SECRET_MIN) return value;
    this.problems.push(`${name} must have at least ${SECRET_MIN} characters.`);
    return null;
  }

  wholeNumber(name: string, fallback: number, [min, max]: [number, number]): number {
    const value = this.text(name, null);
    if (value === null) return fallback;
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= min && number <= max) return number;
    this.problems.push(`${name} must be a whole number from ${min} to ${max}, not "${value}".`);
    return fallback;
  }

  /** 0 means any free port; null if unset. */
  port(name: string): number | null {
    return this.text(name, null) === null ? null : this.wholeNumber(name, 0, [0, 65_535]);
  }

  ratio(name: string, fallback: number): number {
    const value = this.text(name, null);
    if (value === null) return fallback;
    if (/^(0|1|0?\.\d+|1\.0+)$/.test(value)) return Number(value);
    this.problems.push(`${name} must be a number from 0 to 1, not "${value}".`);
    return fallback;
  }

  oneOf<const Choice extends string>(name: string, fallback: Choice, choices: readonly Choice[]): Choice {
    const value = this.text(name, fallback);
    const chosen = choices.find((choice) => choice === value);
    if (chosen) return chosen;
    this.problems.push(`${name} must be ${choices.join(" or ")}, not "${value}".`);
    return fallback;
  }

  url<Default extends string | null>(
    name: string,
    fallback: Default,
    protocols: readonly string[],
  ): string | Default {
    const value = this.text(name, null);
    if (value === null) return fallback;
    if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) return value;
    this.problems.push(
      `${name} must be an address beginning with ${protocols.map((p) => `${p}//`).join(" or ")}.`,
    );
    return fallback;
  }

  /** For URLs that receive secrets or appear in pages: https, or http on this machine. */
  secureUrl(name: string, fallback: string): string {
    return this.secureValue(name, this.text(name, fallback), fallback);
  }

  secureValue(name: string, value: string, example: string): string {
    const url = URL.canParse(value) && /^[^<>"'\\\s]+$/.test(value) ? new URL(value) : null;
    const isHere = url?.protocol === "http:" && isLoopback(url.hostname);
    if (url?.protocol === "https:" || isHere) return value;
    this.problems.push(`${name} must be an address beginning with https://, such as ${example}.`);
    return example;
  }

  publicKey(name: string): string | null {
    const value = this.text(name, null);
    if (value === null || /^[\w.-]{1,200}$/.test(value)) return value;
    this.problems.push(`${name} may hold letters, digits, dots, hyphens and underscores only.`);
    return null;
  }

  origin(name: string): string | null {
    const value = this.url(name, null, ["http:", "https:"]);
    if (value === null || isOrigin(value)) return value?.replace(/\/$/, "") ?? null;
    this.problems.push(`${name} must be an address without a path, such as https://alcove.example.`);
    return null;
  }

  origins(name: string, fallback: string): readonly string[] {
    const origins = this.text(name, fallback)
      .split(",")
      .map((origin) => origin.trim())
      .filter(Boolean);
    if (origins.every((origin) => !origin.endsWith("/") && isOrigin(origin))) return origins;
    this.problems.push(`${name} must be a list of origins, such as ${fallback}.`);
    return [];
  }

  appId(name: string, fallback: string): string {
    const value = this.text(name, fallback);
    if (/^[a-z][a-z0-9]*(\.[a-z][a-z0-9]*)+$/.test(value)) return value;
    this.problems.push(`${name} must be two or more words of a-z and 0-9 with dots, such as ${fallback}.`);
    return fallback;
  }

  iosAppId(name: string): string | null {
    const value = this.text(name, null);
    if (value === null || /^[A-Z0-9]{10}(\.[A-Za-z0-9-]+)+$/.test(value)) return value;
    this.problems.push(`${name} must be a team id and an app id, such as ABCDE12345.example.alcove.app.`);
    return null;
  }

  /** SHA-256 in hexadecimal, as `keytool` prints it, separated by commas. */
  certificates(name: string): readonly string[] {
    const digests = (this.text(name, null) ?? "")
      .split(",")
      .map((digest) => digest.trim().toUpperCase())
      .filter(Boolean);
    if (digests.every((digest) => /^[0-9A-F]{2}(:[0-9A-F]{2}){31}$/.test(digest))) return digests;
    this.problems.push(`${name} must be a list of SHA-256 digests, such as ${"AB:".repeat(31)}AB.`);
    return [];
  }

  jsonFile(name: string): unknown {
    const path = this.text(name, null);
    if (path === null) return null;
    try {
      return JSON.parse(readFileSync(path, "utf8")) as unknown;
    } catch (error) {
      const cause = error instanceof SyntaxError ? "is no JSON" : "cannot be read";
      this.problems.push(`${name}: ${path} ${cause}: ${(error as Error).message}.`);
      return null;
    }
  }

  sender(name: string): string | null {
    const value = this.text(name, null);
    if (value === null || /^([^<>]*<[^<>\s@]+@[^<>\s@]+>|[^<>\s@]+@[^<>\s@]+)$/.test(value)) return value;
    this.problems.push(`${name} must be an email address, such as Alcove <hello@alcove.example>.`);
    return null;
  }

  /** `id:base64,…` with 32 bytes each; the first key encrypts. */
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

  pushKeys(): { publicKey: string; privateKey: string } | null {
    const given = this.allOrNone(["VAPID_PUBLIC_KEY", "VAPID_PRIVATE_KEY"]);
    if (!given) return null;
    const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey } = given;
    const sizeOf = (key: string) => Buffer.from(key, "base64url").length;
    if (sizeOf(publicKey) === 65 && sizeOf(privateKey) === 32) return { publicKey, privateKey };
    this.problems.push("VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY must be a pair of keys in base64url.");
    return null;
  }

  localOrigin(name: string): string | null {
    const value = this.origin(name);
    if (value === null || isLoopback(new URL(value).hostname)) return value;
    this.problems.push(`${name} must be an address of this machine, such as http://127.0.0.1:4000.`);
    return null;
  }

  allOrNone<const Name extends string>(names: readonly Name[]): Record<Name, string> | null {
    const given = names.filter((name) => this.text(name, null) !== null);
    const missing = names.filter((name) => !given.includes(name));
    if (given.length > 0 && missing.length > 0)
      this.problems.push(`${missing.join(", ")} must be set too, because ${given.join(", ")} is.`);
    if (missing.length > 0) return null;
    return Object.fromEntries(names.map((name) => [name, this.text(name, "")])) as Record<Name, string>;
  }

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

  paypalScriptUrl(name: string, needed: string): string | null {
    if (this.text(name, null) === null) return null;
    if (this.text(needed, null) === null) this.problems.push(`${name} needs ${needed}.`);
    return this.secureUrl(name, "https://www.paypal.com/sdk/js");
  }

  /** Appears on card statements. PayPal allows only these characters. */
  statementText(name: string, fallback: string): string {
    const value = this.text(name, fallback);
    if (/^[A-Za-z0-9 .*-]{1,22}$/.test(value)) return value;
    this.problems.push(
      `${name} may hold at most 22 letters A to Z, digits, spaces and . * -, not "${value}".`,
    );
    return fallback;
  }

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

  timeZone(name: string, fallback: string): string {
    const value = this.text(name, fallback);
    try {
      new Intl.DateTimeFormat("en", { timeZone: value });
      return value;
    } catch {
      this.problems.push(`${name} must be a time zone such as Asia/Tokyo, not "${value}".`);
      return fallback;
    }
  }
}

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host === "[::1]" || host.startsWith("127.");
}

function isOrigin(value: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/?#@\s]+\/?$/i.test(value) && URL.canParse(value);
}
