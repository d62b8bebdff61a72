/** Focuses the new screen's heading, so that a screen reader reads it. An open dialog keeps the focus. */
export function focusHeading(): void {
  if (document.activeElement?.closest("[role='dialog']")) return;
  const heading = document.querySelector<HTMLElement>("main h1");
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}
