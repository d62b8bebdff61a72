import { useState } from "react";
import { banner } from "../page/banner.ts";
import { showError } from "../page/show-error.ts";

type ShowError = (error: unknown) => void;

/**
 * Returns a function that ignores calls while it runs. The next run removes the banner of the last error.
 */
export function oneAtATime(
  showBusy: (isBusy: boolean) => void,
): (act: () => Promise<void>, show: ShowError) => Promise<void> {
  let isRunning = false;
  let removeBanner = () => {};
  return async (act, show) => {
    if (isRunning) return;
    isRunning = true;
    removeBanner();
    showBusy(true);
    try {
      await act();
    } catch (error) {
      removeBanner = banner.removable(() => show(error));
    } finally {
      isRunning = false;
      showBusy(false);
    }
  };
}

/** Runs a button's action. An error shows even after the screen has changed. */
export function useAction<Input extends unknown[]>(
  act: (...input: Input) => Promise<void>,
  show: ShowError = showError,
): { isBusy: boolean; start: (...input: Input) => void } {
  const [isBusy, setBusy] = useState(false);
  const [run] = useState(() => oneAtATime(setBusy));
  return { isBusy, start: (...input) => void run(() => act(...input), show) };
}
