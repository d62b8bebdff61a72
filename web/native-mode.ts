/** `react-router build` for the native app (`mobile/`), into a folder of its own. */
export const isNativeBuild = process.env["ALCOVE_NATIVE"] === "1";
