export const login = {
  pitch: "A quiet corner for two people who are each already married.",
  userId: "User ID",
  password: "Password",
  logIn: "Log in",
  or: "or",
  withGoogle: "Continue with Google",
  createAccount: "Create an account",
  signingIn: "Signing you in",
  oneMoment: "One moment, please.",
  failed: "Failed",
} as const;
