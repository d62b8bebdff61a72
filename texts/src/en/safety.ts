export const safety = {
  title: "Block {name}?",
  text: "You will not see each other any more. The match ends and the conversation is erased for both of you.",
  block: "Block",
  cancel: "Cancel",
  blocked: "Blocked. You will not see each other any more.",
} as const;
