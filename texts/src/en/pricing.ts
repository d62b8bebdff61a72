export const pricing = {
  title: "Prices",
  lead: "One plain price. Buy as many years and months as you want.",
  period: "Period",
  month: "Month",
  year: "Year",
  free: "Free members",
  freeCards: "1 card a day",
  paid: "Paid members",
  paidLikes: "50 likes a day",
  createAccount: "Create an account",
  upgrade: "Upgrade account",
} as const;
