export const settings = {
  title: "Settings",
  filter: "Filter",
  privacy: "Privacy on this device",
  devices: "Devices",
  blocks: "Blocked members",
  blocksText:
    "Neither of you is shown to the other. Unblocking restores neither the match nor the conversation.",
  noBlocks: "You have blocked nobody",
  unblock: "Unblock",
  unblocked: "Unblocked.",
  logout: "Log out",
  askLogout: "Do you logout?",
  logoutText: "This device forgets you. Your account stays as it is.",
  stay: "Stay",
  save: "Save",
  saved: "Saved.",
} as const;
