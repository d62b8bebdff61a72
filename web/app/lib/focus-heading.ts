/**
 * Brings the focus to the heading of the screen that has just come, which also says aloud where one is. An open dialog
 * keeps the focus; nothing is scrolled.
 */
export function focusHeading(): void {
  if (document.activeElement?.closest("[role='dialog']")) return;
  const heading = document.querySelector<HTMLElement>("main h1");
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}
