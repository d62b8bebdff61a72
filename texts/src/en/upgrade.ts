export const upgrade = {
  text: "Your card of today is used. A new one waits for you tomorrow; paid members like up to 50 people a day.",
  seePlans: "See the plans",
  notNow: "Not now",
} as const;
