import type { Permission } from "./device.ts";

/** Also of the native app's page, whose microphone its WebView gives. */
export async function browserPermission(name: "geolocation" | "microphone"): Promise<Permission> {
  try {
    const { state } = await navigator.permissions.query({ name });
    return state === "prompt" ? "ask" : state;
  } catch {
    return "ask"; // some browsers do not know this permission
  }
}
