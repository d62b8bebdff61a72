export const slideshow = {
  label: "Pictures of {name}",
  close: "Close",
  previous: "Previous",
  next: "Next",
  play: "Play",
  pause: "Pause",
  progress: "Progress",
} as const;
