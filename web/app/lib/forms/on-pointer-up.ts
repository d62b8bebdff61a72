/** Waits until a pressed pointer is up: an error that appears earlier moves the button away before it is clicked. */
export function onPointerUp(callback: () => void): void {
  if (document.documentElement.matches(":active")) addEventListener("mouseup", callback, { once: true });
  else callback();
}
