import packageJson from "./package.json" with { type: "json" };

/** The oldest supported browsers, as targets of a build: `chrome109`. */
export const OLDEST_BROWSERS = packageJson.browserslist.map((entry) =>
  entry.replace("ios_saf", "ios").replace(" ", ""),
);
