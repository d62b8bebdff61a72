/** Makes a screen reader read the new screen's heading. An open dialog and a field that the screen focused keep the focus. */
export function focusHeading(): void {
  if (document.activeElement?.matches("main input")) return;
  if (document.activeElement?.closest("[role='dialog']")) return;
  const heading = document.querySelector<HTMLElement>("main h1");
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}
