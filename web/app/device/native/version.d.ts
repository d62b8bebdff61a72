/** The version of the web build; only the native app contains it. */
declare const __APP_VERSION__: string;
