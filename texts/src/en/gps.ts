export const gps = {
  title: "Share where you are",
  ask: "Please give me permission to access GPS to start use the product.",
  why: "Your position finds people within the distance you set.",
  coarse: "Only an area of about 5 square kilometres is kept, never the exact place.",
  refreshed: "It is refreshed when it is more than an hour old.",
  allow: "Allow location",
  notNow: "Not now",
} as const;
