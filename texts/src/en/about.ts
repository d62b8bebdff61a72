export const about = {
  title: "Both married. Both discreet.",
  lead: "{brand} is a private place for married adults to meet one other person with care.",
  married: "Both sides are married",
  marriedText: "You understand each other's limits, time and families, and respect them.",
  paid: "Paid membership keeps trolls and fraudsters out",
  paidText: "People who pay to be here tend to mean what they write.",
  processed: "Your profile picture can be processed",
  processedText: "A processed picture keeps your likeness and lowers the risk of being recognised.",
  prices: "Prices",
  pricesText: "One plain price. Buy as many years and months as you want.",
  createAccount: "Create an account",
} as const;
