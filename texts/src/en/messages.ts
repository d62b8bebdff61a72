export const messages = {
  title: "Messages",
  newMatches: "New matches",
  conversations: "Conversations",
  image: "Image",
  unread: "Unread",
  yesterday: "Yesterday",
  empty: "There is no match yet",
  emptyText: "When you and someone like each other, the conversation begins here.",
  seeCard: "See today's card",
  chooseOne: "Choose a conversation to read it here.",
} as const;
