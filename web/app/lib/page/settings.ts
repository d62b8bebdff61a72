/** The server fills these values into the pages when it starts. */
export interface PageSettings {
  brandName: string;
  supportEmail: string;
  /** The operator's data; empty if not set. */
  operatorName: string;
  operatorAddress: string;
  operatorPhone: string;
  operatorRegister: string;
  operatorTaxId: string;
  operatorRepresentative: string;
  /** The text in place of a missing name, address or phone number. */
  operatorUnstated: "example" | "missing";
  /** Empty if the service knows no public address. */
  origin: string;
  botCheck: string;
  /** Empty for the page's own origin. */
  apiOrigin: string;
  /** Empty if Google sign-in is off. */
  googleClientId: string;
  googleAuthUrl: string;
  /** Empty in pages that may not load reCAPTCHA. */
  recaptchaSiteKey: string;
  recaptchaScriptUrl: string;
  payments: "off" | "sandbox" | "on";
  /** Whether the native app leads to the purchase page in the browser, or mentions no purchases. */
  nativePurchases: "browser" | "hidden";
  /** Whether Android's app may use the passkeys of the site. */
  nativePasskeys: "on" | "off";
  paypalScript: "on" | "off";
  /** Only in the purchase page, and empty if `paypalScript` is off. */
  paypalClientId: string;
  paypalScriptUrl: string;
  statementText: string;
  /** Decimal numbers: while pages are built, the values are placeholders. */
  freeCardsPerDay: string;
  paidLikesPerDay: string;
  ageCheck: "off" | "document";
  unusedMonths: string;
}

const ELEMENT_ID = "settings";

const placeholders: PageSettings = {
  brandName: "__BRAND_NAME__",
  supportEmail: "__SUPPORT_EMAIL__",
  operatorName: "__OPERATOR_NAME__",
  operatorAddress: "__OPERATOR_ADDRESS__",
  operatorPhone: "__OPERATOR_PHONE__",
  operatorRegister: "__OPERATOR_REGISTER__",
  operatorTaxId: "__OPERATOR_TAX_ID__",
  operatorRepresentative: "__OPERATOR_REPRESENTATIVE__",
  operatorUnstated: "__OPERATOR_UNSTATED__" as PageSettings["operatorUnstated"],
  origin: "__ORIGIN__",
  botCheck: "__BOT_CHECK__",
  apiOrigin: "__API_ORIGIN__",
  googleClientId: "__GOOGLE_CLIENT_ID__",
  googleAuthUrl: "__GOOGLE_AUTH_URL__",
  recaptchaSiteKey: "__RECAPTCHA_SITE_KEY__",
  recaptchaScriptUrl: "__RECAPTCHA_SCRIPT_URL__",
  payments: "__PAYMENTS__" as PageSettings["payments"],
  nativePurchases: "__NATIVE_PURCHASES__" as PageSettings["nativePurchases"],
  nativePasskeys: "__NATIVE_PASSKEYS__" as PageSettings["nativePasskeys"],
  paypalScript: "__PAYPAL_SCRIPT__" as PageSettings["paypalScript"],
  paypalClientId: "__PAYPAL_CLIENT_ID__",
  paypalScriptUrl: "__PAYPAL_SCRIPT_URL__",
  statementText: "__STATEMENT_TEXT__",
  freeCardsPerDay: "__FREE_CARDS_PER_DAY__",
  paidLikesPerDay: "__PAID_LIKES_PER_DAY__",
  ageCheck: "__AGE_CHECK__" as PageSettings["ageCheck"],
  unusedMonths: "__UNUSED_MONTHS__",
};

const defaults: PageSettings = {
  brandName: "Alcove",
  supportEmail: "hello@alcove.example",
  operatorName: "",
  operatorAddress: "",
  operatorPhone: "",
  operatorRegister: "",
  operatorTaxId: "",
  operatorRepresentative: "",
  operatorUnstated: "example",
  origin: "",
  botCheck: "altcha",
  apiOrigin: "",
  googleClientId: "",
  googleAuthUrl: "",
  recaptchaSiteKey: "",
  recaptchaScriptUrl: "",
  payments: "off",
  nativePurchases: "browser",
  nativePasskeys: "off",
  paypalScript: "off",
  paypalClientId: "",
  paypalScriptUrl: "",
  statementText: "ONLINE SERVICES",
  freeCardsPerDay: "1",
  paidLikesPerDay: "50",
  ageCheck: "off",
  unusedMonths: "24",
};

function readSettings(): PageSettings {
  if (import.meta.env.SSR) return placeholders;
  const text = document.getElementById(ELEMENT_ID)?.textContent;
  // The gallery and tests have no server.
  if (!import.meta.env.PROD && !text) return defaults;
  return JSON.parse(text ?? "") as PageSettings;
}

export const settings: PageSettings = readSettings();

export const settingsElement = { id: ELEMENT_ID, json: () => JSON.stringify(settings) };
