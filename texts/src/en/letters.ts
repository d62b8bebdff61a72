export const letters = {
  subject: "{brand}: your request",
  accountSubject: "{brand}: your account",
  codeIntro: "This is the code you asked for:",
  codeLife: "It is good for {minutes} minutes and can be used once. Please do not pass it on.",
  resetCodeUse: "With it you can set a new password.",
  accountExists:
    "Somebody, probably you, asked for a code with this e-mail address. It already has an account.",
  accountExistsNext: "You can log in with your user ID and password.",
  noAccount:
    "Somebody, probably you, asked for a code with this e-mail address. There is no account with it.",
  noAccountNext: "Perhaps you signed up with another address.",
  passwordChanged: "The password of your account was changed, and the other devices were logged out.",
  passwordChangedNext:
    "If this was not you, set a new password with “Forgot password?” beside the login, and write to {support}.",
  digestWhy: "You get this letter, at most one a day, because you asked for it. To end these letters, open:",
  ignore: "If this was not you, you need not do anything.",
} as const;
