export const cover = {
  title: "Notes",
  note1: "Bread, lemons, olive oil",
  day1: "Today",
  note2: "Call the plumber before Friday",
  day2: "Yesterday",
  note3: "Library books due on the 28th",
  day3: "Monday",
  back: "Back",
} as const;
