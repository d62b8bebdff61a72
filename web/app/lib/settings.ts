/** What the server tells every page about itself. It fills the values into the built pages when it starts. */
export interface PageSettings {
  brandName: string;
  supportEmail: string;
  botCheck: string;
  /** Where the API is; empty for the page's own origin. */
  apiOrigin: string;
  /** Our name at Google, and where its account chooser is; empty where sign-in with Google is off. */
  googleClientId: string;
  googleAuthUrl: string;
  /** Only in pages that may ask reCAPTCHA; empty in all others. */
  recaptchaSiteKey: string;
  recaptchaScriptUrl: string;
  /** Whether one can buy, and whether money moves by it. */
  payments: "off" | "sandbox" | "on";
  /** Whether the page where people buy shows PayPal's own buttons. */
  paypalScript: "on" | "off";
  /** For PayPal's own script: only in the page where people buy, and empty where there is no such script. */
  paypalClientId: string;
  paypalScriptUrl: string;
  /** What a card statement says. */
  statementText: string;
}

const ELEMENT_ID = "settings";

const placeholders: PageSettings = {
  brandName: "__BRAND_NAME__",
  supportEmail: "__SUPPORT_EMAIL__",
  botCheck: "__BOT_CHECK__",
  apiOrigin: "__API_ORIGIN__",
  googleClientId: "__GOOGLE_CLIENT_ID__",
  googleAuthUrl: "__GOOGLE_AUTH_URL__",
  recaptchaSiteKey: "__RECAPTCHA_SITE_KEY__",
  recaptchaScriptUrl: "__RECAPTCHA_SCRIPT_URL__",
  payments: "__PAYMENTS__" as PageSettings["payments"],
  paypalScript: "__PAYPAL_SCRIPT__" as PageSettings["paypalScript"],
  paypalClientId: "__PAYPAL_CLIENT_ID__",
  paypalScriptUrl: "__PAYPAL_SCRIPT_URL__",
  statementText: "__STATEMENT_TEXT__",
};

const defaults: PageSettings = {
  brandName: "Alcove",
  supportEmail: "hello@alcove.example",
  botCheck: "altcha",
  apiOrigin: "",
  googleClientId: "",
  googleAuthUrl: "",
  recaptchaSiteKey: "",
  recaptchaScriptUrl: "",
  payments: "off",
  paypalScript: "off",
  paypalClientId: "",
  paypalScriptUrl: "",
  statementText: "ONLINE SERVICES",
};

function readSettings(): PageSettings {
  if (typeof document === "undefined") return placeholders;
  const text = document.getElementById(ELEMENT_ID)?.textContent;
  // In development nobody has filled the page in.
  return text && !text.includes(placeholders.brandName) ? (JSON.parse(text) as PageSettings) : defaults;
}

export const settings: PageSettings = readSettings();

/** The element of the page that carries the settings. */
export const settingsElement = { id: ELEMENT_ID, json: JSON.stringify(settings) };
