export const matched = {
  title: "Matched !",
  text: "You and {name} liked each other. Say hello when you have a quiet moment.",
  write: "Send a message",
  keepLooking: "Keep looking",
} as const;
