import { expect, test } from "vitest";
import { NATIVE_USER_AGENT } from "@alcove/contract/native-app";
import { deviceName, parseUserAgent } from "./device-name.ts";

const MOZILLA = "Mozilla/5.0";
const LIKE = "AppleWebKit/537.36 (KHTML, like Gecko)";

test.each([
  [`${MOZILLA} (Linux; Android 10; K) ${LIKE} Chrome/130.0.0.0 Mobile Safari/537.36`, "Chrome on Android"],
  [
    `${MOZILLA} (Windows NT 10.0; Win64; x64) ${LIKE} Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0`,
    "Edge on Windows",
  ],
  [`${MOZILLA} (Macintosh; Intel Mac OS X 10_15_7) ${LIKE} Version/18.1 Safari/605.1.15`, "Safari on macOS"],
  [
    `${MOZILLA} (iPhone; CPU iPhone OS 18_1 like Mac OS X) ${LIKE} CriOS/130.0 Mobile/15E148 Safari/604.1`,
    "Chrome on iOS",
  ],
  [
    `${MOZILLA} (iPad; CPU OS 12_2 like Mac OS X) ${LIKE} FxiOS/130.0 Mobile/15E148 Safari/605.1.15`,
    "Firefox on iPadOS",
  ],
  [
    `${MOZILLA} (Linux; Android 13; SM-S918B) ${LIKE} SamsungBrowser/26.0 Chrome/122.0 Mobile Safari/537.36`,
    "Samsung Internet on Android",
  ],
  [`${MOZILLA} (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0`, "Firefox on Linux"],
  [`${MOZILLA} (X11; CrOS x86_64 14541.0.0) ${LIKE} Chrome/130.0.0.0 Safari/537.36`, "Chrome on ChromeOS"],
  [`${MOZILLA} (Windows NT 10.0) ${LIKE} Chrome/130.0 Safari/537.36 OPR/115.0`, "Opera on Windows"],
  [
    `${MOZILLA} (Linux; Android 16; K; wv) ${LIKE} Version/4.0 Chrome/142.0 Mobile Safari/537.36 ${NATIVE_USER_AGENT}`,
    "App on Android",
  ],
  [
    `${MOZILLA} (iPhone; CPU iPhone OS 18_1 like Mac OS X) ${LIKE} Mobile/15E148 ${NATIVE_USER_AGENT}`,
    "App on iOS",
  ],
  [NATIVE_USER_AGENT, "Unknown device"],
  ["Dalvik/2.1.0 (Linux; U; Android 14; Pixel 8)", "Android"],
  ["curl/8.5.0", "Unknown device"],
  ["<script>alert(1)</script>", "Unknown device"],
  ["", "Unknown device"],
])("%s is named %s", (userAgent, name) => {
  expect(deviceName("en", parseUserAgent(userAgent))).toBe(name);
});
