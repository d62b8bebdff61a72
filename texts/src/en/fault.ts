export const fault = {
  title: "Something went wrong on our side",
  text: "Please try again in a moment.",
  offline: "No connection",
  offlineText: "Please check your connection and try again. What you typed is kept.",
  again: "Try again",
  home: "Go home",
  notFound: "Nothing in this corner",
  notFoundText: "The page has moved or never existed.",
} as const;
