export const neverSee = {
  intro:
    "Enter the e-mail addresses or user IDs of people you know. You and they are never shown to each other, also when they join later. Nobody is told, and nothing here says whether somebody is a member.",
  kept: "Only a fingerprint that nobody can read is kept. So this list cannot show what you entered.",
  effect:
    "From now on they do not see you. For an e-mail address, the rest, such as the end of a match, takes up to three days.",
  who: "E-mail addresses or user IDs",
  whoHint:
    "One per line, {aDay, number} a day and {inAll, number} in all. An entry can be removed {days, number} days after it was added.",
  add: "Add",
  added: "Added. They will not see you.",
  entries: "Your entries",
  none: "No entries yet",
  email: "E-mail address",
  handle: "User ID",
  addedAt: "Added {date}",
  removableFrom: "Can be removed from {date}",
  remove: "Remove",
  askRemove: "Remove this entry?",
  removeText:
    "Within three days you may be shown to each other again. A match that ended does not come back.",
  cancel: "Cancel",
  removed: "Removed.",
} as const;
