export const ui = {
  optional: "(optional)",
  close: "Close",
  loading: "Loading",
  showPassword: "Show password",
  hidePassword: "Hide password",
  recaptcha:
    "This form is protected by reCAPTCHA. Google's <privacy>Privacy Policy</privacy> and <terms>Terms of Service</terms> apply to it.",
} as const;
