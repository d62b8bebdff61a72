export const deleteAccount = {
  title: "Delete account",
  dataTitle: "Your data",
  dataText:
    "A file with what is kept about you: your profile, your pictures, the messages you sent, whom you liked, passed, blocked and reported.",
  dataCare: "Anybody who opens the file can read it. Keep it where nobody else looks.",
  download: "Download my data",
  dataComes: "The download begins.",
  leaveTitle: "Leave for good",
  leaveText:
    "Your profile, your matches and all conversations are erased at once, for the other side too. What you have paid for ends with the account.",
  password: "Password",
  wrongPassword: "Password is incorrect",
  userId: "Type your user ID to confirm: {userId}",
  wrongUserId: "This is not your user ID.",
  delete: "Delete account",
  ask: "Are you sure to delete this account ?",
  noWayBack: "This cannot be undone.",
  keep: "Keep my account",
  done: "Account deleted",
} as const;
