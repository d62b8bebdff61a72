export const letters = {
  subject: "{brand}: your request",
  codeIntro: "This is the code you asked for:",
  codeLife: "It is good for {minutes} minutes and can be used once. Please do not pass it on.",
  accountExists:
    "Somebody, probably you, asked for a code with this e-mail address. It already has an account.",
  accountExistsNext: "You can log in with your user ID and password.",
  ignore: "If this was not you, you need not do anything.",
} as const;
