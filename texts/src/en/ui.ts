export const ui = {
  optional: "(optional)",
  close: "Close",
  loading: "Loading",
  showPassword: "Show password",
  hidePassword: "Hide password",
} as const;
