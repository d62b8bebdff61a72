/** Shows that the action of a button runs. The button keeps the focus, as `Button` does. */
export function setBusy(button: HTMLButtonElement, isBusy: boolean): void {
  for (const state of ["aria-busy", "aria-disabled"]) {
    if (isBusy) button.setAttribute(state, "true");
    else button.removeAttribute(state);
  }
}
