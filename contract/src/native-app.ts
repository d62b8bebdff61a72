/** Where the native app reads the settings that pages of a browser contain. Without a language, like a file. */
export const NATIVE_SETTINGS_PATH = "/native-app.json";

/** The native app adds it to the name of its browser, so that the list of devices shows "App". */
export const NATIVE_USER_AGENT = "NativeApp";

/** Rises with each change after which an older app and this server cannot talk. */
export const WIRE_VERSION = 1;

/** The oldest app that this server still serves. */
export const OLDEST_WIRE_VERSION = 1;

export interface NativeSettings {
  readonly wire: number;
  readonly oldest_wire: number;
  /** As in the pages of the web app (`PageSettings`). */
  readonly page: Readonly<Record<string, string>>;
}
