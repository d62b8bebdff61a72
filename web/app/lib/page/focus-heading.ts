/** Makes a screen reader read the new screen's heading. An open dialog and a field that the screen focused keep the focus. */
export function focusHeading(): void {
  if (document.activeElement?.matches("main :is(input, textarea)")) return;
  if (document.activeElement?.closest("[role='dialog']")) return;
  // On a wide screen the heading of the settings menu is hidden.
  const headings = [...document.querySelectorAll<HTMLElement>("main h1")];
  const heading = headings.find((one) => one.getClientRects().length > 0);
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}
