export const leaving = {
  title: "Leave {brand}?",
  text: "This link leads out of {brand} to {host}. It can reveal who you are.",
  open: "Open",
  stay: "Stay",
} as const;
