import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readConfig, ConfigError } from "./config.ts";

const DATA_DIR = "/nowhere/data";
/** A folder of its own, because the checkout's may have secrets. */
const read = (env: Record<string, string> = {}) => readConfig({ DATA_DIR, ...env });

test("needs no variable", () => {
  const config = readConfig({});

  expect(config).toMatchObject({
    port: 3000,
    host: "127.0.0.1",
    isLoopback: true,
    freeCardsPerDay: 1,
    passDays: 90,
  });
  expect(config.nativeOrigins).toEqual(["https://localhost", "capacitor://localhost"]);
});

test("names all mistakes at once", () => {
  const env = {
    PORT: "http",
    DATABASE_URL: "mysql://x",
    SEALING_KEYS: "k1:short",
    DAY_TIME_ZONE: "Mars",
    BOT_CHECK: "yes",
    TOKEN_SECRET: "short",
  };

  const problem = (() => {
    try {
      return read(env);
    } catch (error) {
      return error;
    }
  })();

  expect(problem).toBeInstanceOf(ConfigError);
  for (const name of Object.keys(env)) expect((problem as Error).message).toContain(name);
});

const exposed = {
  TRUST_PROXY: "on",
  PUBLIC_URL: "https://alcove.example",
  SMTP_URL: "smtps://mail.example",
  TOKEN_SECRET: "token-secret-of-a-test",
  MEDIA_SECRET: "media-secret-of-a-test",
  SEALING_KEYS: `k1:${"A".repeat(43)}=`,
  PASSWORD_PEPPER: "pepper-secret-of-a-test",
  VAPID_PUBLIC_KEY: Buffer.alloc(65, 4).toString("base64url"),
  VAPID_PRIVATE_KEY: Buffer.alloc(32, 1).toString("base64url"),
};

test.each(["SMTP_URL", "PUBLIC_URL"])("requires %s where other machines reach the server", (name) => {
  const { TRUST_PROXY: _, ...others } = { ...exposed, [name]: "" };

  expect(() => read({ ...others, TRUST_PROXY: "on" })).toThrow(`${name} is needed with TRUST_PROXY=on`);
  expect(() => read({ ...others, HOST: "0.0.0.0" })).toThrow(`${name} is needed with HOST=0.0.0.0`);
  expect(() => read({ ...others, HOST: "::" })).toThrow(`${name} is needed with HOST=::`);
  expect(() => read({ ...others, HOST: "localhost" })).not.toThrow();
});

test.each(Object.keys(exposed).slice(3))("requires a folder for secrets when only %s is unset", (name) => {
  const SECRETS_DIR = "/elsewhere/secrets";

  expect(() => read({ ...exposed, [name]: "" })).toThrow(
    `SECRETS_DIR is needed with TRUST_PROXY=on: set it to a folder outside of DATA_DIR, or set ${name}.`,
  );
  expect(() => read({ ...exposed, [name]: "", SECRETS_DIR: `${DATA_DIR}/x/..` })).toThrow(
    "SECRETS_DIR is inside",
  );
  if (name.startsWith("VAPID")) return; // both or none
  expect(read({ ...exposed, [name]: "", SECRETS_DIR })).toMatchObject({ secretsDir: SECRETS_DIR });
});

test("needs no folder for secrets when all are variables", () => {
  expect(() => read(exposed)).not.toThrow();
});

test("rejects a brand name that could break a page", () => {
  expect(() => read({ BRAND_NAME: '</script><script>alert("x")' })).toThrow(ConfigError);
  expect(read({ BRAND_NAME: "アルコーブ" }).brandName).toBe("アルコーブ");
});

test.each([
  ["SEALING_KEYS", `k1:${"A".repeat(43)}=,k1:${"B".repeat(43)}=`],
  ["NATIVE_ORIGINS", "https://localhost/app"],
  ["NATIVE_ORIGINS", "*"],
  ["PUBLIC_URL", "https://alcove.example/app"],
  ["PUBLIC_URL", "https://alcove.example/?a=1"],
  ["NATIVE_APP_ID", "Alcove"],
  ["ANDROID_CERT_SHA256", "AB:CD"],
  ["IOS_APP_ID", "example.alcove.app"],
  ["MAIL_FROM", "somebody"],
  ["OPERATOR_NAME", "Quiet <b>"],
  ["OPERATOR_ADDRESS", "1 Quiet Street\n2000 Quiet Town"],
  ["OPERATOR_TAX_ID", "1".repeat(301)],
  ["GOOGLE_CLIENT_ID", 'x"><script>'],
  ["GOOGLE_AUTH_URL", "http://accounts.google.example/auth"],
  ["GOOGLE_AUTH_URL", "javascript:alert(1)"],
  ["GOOGLE_AUTH_URL", 'https://google.example/"></script>'],
  ["GOOGLE_TOKENINFO_URL", "http://tokeninfo.example"],
  ["GOOGLE_USERINFO_URL", "userinfo"],
  ["PAYPAL_API_URL", "http://api-m.paypal.example"],
  ["PAYPAL_SCRIPT_URL", "https://www.paypal.com/sdk/js"], // without an account
  ["STATEMENT_TEXT", "MORE THAN 22 CHARACTERS"],
  ["STATEMENT_TEXT", "アルコーブ"],
  ["STATEMENT_TEXT", "A/B"],
  ["VAPID_PUBLIC_KEY", "short"],
  ["PUSH_LOCAL_ORIGIN", "http://10.0.0.1:4000"],
  ["FCM_SERVICE_ACCOUNT", "{}"],
  ["FCM_SERVICE_ACCOUNT", "/nowhere/firebase.json"],
  ["FCM_URL", "http://fcm.example"],
])("rejects %s when it is %s", (name, value) => {
  expect(() => read({ [name]: value })).toThrow(name);
});

test.each([
  ["NATIVE_ORIGINS", "https://localhost, capacitor://localhost"],
  ["NATIVE_ORIGINS", "http://localhost:8100"],
  ["NATIVE_APP_ID", "example.alcove.app"],
  ["ANDROID_CERT_SHA256", `${"ab:".repeat(31)}01, ${"AB:".repeat(31)}02`],
  ["IOS_APP_ID", "ABCDE12345.example.alcove.app"],
  ["PUBLIC_URL", "https://alcove.example:8443/"],
  ["MAIL_FROM", "hello@alcove.example"],
  ["OPERATOR_NAME", "O'Quiet & Söhne GmbH"],
  ["OPERATOR_ADDRESS", "東京都千代田区1-1"],
  ["GOOGLE_CLIENT_ID", "1234-abc.apps.googleusercontent.com"],
  ["GOOGLE_AUTH_URL", "http://127.0.0.1:4000/auth"],
  ["GOOGLE_TOKENINFO_URL", "https://oauth2.example/tokeninfo?v=3"],
  ["MAIL_FROM", "Alcove <hello@alcove.example>"],
  ["STATEMENT_TEXT", "A.C. 24-7 *SERVICES"],
])("accepts %s when it is %s", (name, value) => {
  expect(() => read({ [name]: value })).not.toThrow();
});

test("requires two keys with reCAPTCHA", () => {
  const keys = { RECAPTCHA_SITE_KEY: "6Lsite", RECAPTCHA_SECRET: "6Lsecret" };

  for (const name of Object.keys(keys)) {
    expect(() => read({ BOT_CHECK: "recaptcha", ...keys, [name]: "" })).toThrow(name);
  }
  expect(read({ BOT_CHECK: "recaptcha", ...keys }).botCheck).toBe("recaptcha");
});

test("gives a free member 50 cards a day in the demo unless configured", () => {
  expect(read({ ALCOVE_DEMO: "1" }).freeCardsPerDay).toBe(50);
  expect(read({ ALCOVE_DEMO: "1", FREE_CARDS_PER_DAY: "2" }).freeCardsPerDay).toBe(2);
});

test("requires all variables of a bucket and names missing ones", () => {
  const whole = {
    S3_ENDPOINT: "https://objects.example:9000",
    S3_BUCKET: "pictures",
    S3_REGION: "eu-west-1",
    S3_ACCESS_KEY_ID: "id",
    S3_SECRET_ACCESS_KEY: "key",
  };

  expect(read({}).s3).toBeNull();
  expect(read(whole).s3).toMatchObject({ bucket: "pictures", region: "eu-west-1" });
  expect(() => read({ ...whole, S3_REGION: "" })).toThrow("S3_REGION must be set too");
  expect(() => read({ S3_BUCKET: "pictures" })).toThrow("S3_ENDPOINT, S3_REGION");
  expect(() => read({ ...whole, S3_ENDPOINT: "objects.example" })).toThrow("S3_ENDPOINT must be");
});

test("requires client id and secret of a PayPal account together", () => {
  const account = { PAYPAL_CLIENT_ID: "AbC-1_2", PAYPAL_CLIENT_SECRET: "EfG" };

  for (const name of Object.keys(account)) {
    expect(() => read({ ...account, [name]: "" })).toThrow(name);
  }
  expect(() => read({ PAYPAL_API_URL: "https://api-m.sandbox.paypal.com" })).toThrow("PAYPAL_API_URL needs");
  expect(() => read({ PAYPAL_WEBHOOK_ID: "8PT5" })).toThrow("PAYPAL_WEBHOOK_ID needs");
  expect(read({}).paypal).toBeNull();
  expect(read(account).paypal).toEqual({
    apiUrl: "https://api-m.paypal.com",
    clientId: "AbC-1_2",
    clientSecret: "EfG",
    webhookId: null,
  });
  expect(read({ ...account, PAYPAL_API_URL: "http://127.0.0.1:4000/" }).paypal?.apiUrl).toBe(
    "http://127.0.0.1:4000",
  );
});

const sandbox = {
  PAYPAL_SANDBOX: "on",
  PAYPAL_API_URL: "http://127.0.0.1:4000",
  PAYPAL_CLIENT_ID: "sandbox",
  PAYPAL_CLIENT_SECRET: "EfG",
};

test.each([
  [{}, true],
  [{ PUBLIC_URL: "http://localhost:3000" }, true],
  [{ HOST: "0.0.0.0" }, false],
  [{ PUBLIC_URL: "https://alcove.example" }, false],
  [{ TRUST_PROXY: "on" }, false],
  [{ PAYPAL_API_URL: "https://api-m.paypal.com" }, false],
  [{ PAYPAL_API_URL: "", PAYPAL_CLIENT_ID: "", PAYPAL_CLIENT_SECRET: "" }, false],
])("returns whether the PayPal sandbox is allowed with %o: %s", (env, isAllowed) => {
  const isSandbox = () => read({ ...sandbox, ...env }).isPayPalSandbox;

  if (isAllowed) expect(isSandbox()).toBe(true);
  else expect(isSandbox).toThrow("PAYPAL_SANDBOX");
});

test("reads Apple's key from a variable or a file, and requires all of its parts", async () => {
  const { privateKey } = generateKeyPairSync("ec", {
    namedCurve: "P-256",
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const folder = await mkdtemp(join(tmpdir(), "alcove-key-"));
  const file = join(folder, "AuthKey.p8");
  await writeFile(file, privateKey);
  const key = {
    APNS_KEY: file,
    APNS_KEY_ID: "KEYID12345",
    APNS_TEAM_ID: "ABCDE12345",
    APNS_TOPIC: "example.alcove.app",
  };

  expect(read({}).apns).toBeNull();
  expect(read(key).apns).toMatchObject({ key: privateKey, url: "https://api.push.apple.com" });
  expect(read({ ...key, APNS_KEY: privateKey.replaceAll("\n", "\\n") }).apns?.key).toBe(privateKey);
  expect(() => read({ ...key, APNS_TEAM_ID: "" })).toThrow("APNS_TEAM_ID must be set too");
  expect(() => read({ ...key, APNS_KEY: "-----BEGIN PRIVATE KEY-----" })).toThrow("APNS_KEY must be");
  expect(() => read({ ...key, APNS_TOPIC: "alcove" })).toThrow("APNS_TOPIC must be");
  await rm(folder, { recursive: true });
});

test.each([
  [{ CONSOLE_PORT: "3000" }, "CONSOLE_PORT must be another port"],
  [{ CONSOLE_PORT: "3010", CONSOLE_HOST: "0.0.0.0" }, "CONSOLE_URL is needed with CONSOLE_HOST=0.0.0.0"],
  [{ CONSOLE_PORT: "3010", CONSOLE_URL: "http://console.example" }, "CONSOLE_URL must begin with https://"],
  [
    { CONSOLE_PORT: "3010", CONSOLE_URL: "https://a.example:8443", PUBLIC_URL: "https://a.example" },
    "CONSOLE_URL must have another host",
  ],
])("rejects an unsafe console: %j", (env, problem) => {
  expect(() => read(env)).toThrow(problem);
  expect(() => read({ ...env, CONSOLE_PORT: "" })).not.toThrow();
});

test("serves the console on loopback or at its own host", () => {
  expect(read({}).consolePort).toBeNull();
  expect(read({ CONSOLE_PORT: "3010" })).toMatchObject({ consolePort: 3010, consoleHost: "127.0.0.1" });
  const url = { CONSOLE_HOST: "0.0.0.0", CONSOLE_URL: "https://console.example" };
  expect(read({ CONSOLE_PORT: "3010", ...url }).consoleUrl).toBe("https://console.example");
});

test("reads the rules of countries from a file and names its mistakes", async () => {
  const folder = await mkdtemp(join(tmpdir(), "alcove-regions-"));
  const withFile = async (text: string) => {
    const file = join(folder, "regions.json");
    await writeFile(file, text);
    return { REGIONS_FILE: file };
  };

  expect(read({}).regions["TW"]).toMatchObject({ tax: 0.05 });
  expect(read(await withFile('{ "TW": { "tax": 0.06 } }')).regions["TW"]).toMatchObject({
    tax: 0.06,
    withdrawal: { days: 7, share: "all" },
  });
  const mistaken = await withFile('{ "TW": { "tax": "5 %" }, "XX": {} }');
  expect(() => read(mistaken)).toThrow("REGIONS_FILE: TW.tax: must be a number.");
  const broken = await withFile("{ TW }");
  expect(() => read(broken)).toThrow(/REGIONS_FILE: .+regions.json is no JSON/);
  await rm(folder, { recursive: true });
  expect(() => read(broken)).toThrow(/REGIONS_FILE: .+regions.json cannot be read/);
});
