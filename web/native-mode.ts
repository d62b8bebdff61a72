/** Builds the native app (`mobile/`), into a folder of its own. */
export const isNativeBuild = process.env["ALCOVE_NATIVE"] === "1";

/** The module that starts the app. */
export const ENTRY = isNativeBuild ? "app/native-start.ts" : "app/entry.client.tsx";
