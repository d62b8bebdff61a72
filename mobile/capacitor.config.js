import { NATIVE_USER_AGENT } from "@alcove/contract/native-app";
import own from "./package.json" with { type: "json" };
import { readMobileSettings } from "./src/settings.ts";

const { appId, brandName, googleServices } = readMobileSettings(process.env);
const withoutPushes = Object.keys(own.dependencies).filter(
  (name) => name !== "@capacitor/push-notifications",
);

export { appId, brandName as appName };
export const webDir = "build/www";
export const loggingBehavior = "none";
export const backgroundColor = "#eaeee9";
export const appendUserAgent = NATIVE_USER_AGENT;
export const android = {
  allowMixedContent: false,
  webContentsDebuggingEnabled: false,
  ...(googleServices === null && { includePlugins: withoutPushes }),
};
export const ios = { contentInset: "never", webContentsDebuggingEnabled: false };
export const plugins = {
  SystemBars: { insetsHandling: "native", initialViewportFitValueHint: "cover" },
  Keyboard: { resizeOnFullScreen: true },
  PushNotifications: { presentationOptions: [] },
  SplashScreen: { launchAutoHide: false },
};
