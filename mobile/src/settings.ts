export type Platform = "android" | "ios";

export interface MobileSettings {
  readonly apiOrigin: string;
  readonly brandName: string;
  readonly appId: string;
  readonly version: string;
  readonly build: number;
  /** Without Firebase's file, the Android app is built without pushes: it would crash when it registers. */
  readonly googleServices: string | null;
}

/** @throws with all problems, one a line */
export function readMobileSettings(env: Record<string, string | undefined>): MobileSettings {
  const problems: string[] = [];
  const read = (name: string, fallback: string, isValid: (value: string) => boolean, kind: string) => {
    const value = env[name]?.trim() || fallback;
    if (!isValid(value)) problems.push(`${name} must be ${kind}, not "${value}".`);
    return value;
  };
  const settings = {
    apiOrigin: read(
      "API_ORIGIN",
      "",
      isHttpsOrigin,
      "the https address of the server, such as https://alcove.example",
    ),
    brandName: read(
      "BRAND_NAME",
      "Alcove",
      (name) => /^[^<>"'&\\@?$/\p{Cc}]{1,30}$/u.test(name),
      "1 to 30 characters without markup",
    ),
    appId: read(
      "NATIVE_APP_ID",
      "example.alcove.app",
      (id) => /^[a-z][a-z0-9]*(\.[a-z][a-z0-9]*)+$/.test(id),
      "words of a-z and 0-9 with dots",
    ),
    version: read(
      "NATIVE_VERSION",
      "0.1.0",
      (version) => /^\d+\.\d+(\.\d+)?$/.test(version),
      "a version such as 1.2.0",
    ),
    build: Number(read("NATIVE_BUILD", "1", (build) => /^[1-9]\d{0,8}$/.test(build), "a whole number")),
    googleServices: env["GOOGLE_SERVICES_JSON"]?.trim() || null,
  };
  if (problems.length > 0) throw new Error(problems.join("\n"));
  return settings;
}

/** Plain http only for tests. */
function isHttpsOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { origin, protocol, hostname } = new URL(text);
  return origin === text && (protocol === "https:" || (protocol === "http:" && hostname === "127.0.0.1"));
}
