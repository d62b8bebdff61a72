export const login = {
  pitch: "A quiet corner for two people who are each already married.",
  userId: "User ID",
  password: "Password",
  logIn: "Log in",
  createAccount: "Create an account",
} as const;
