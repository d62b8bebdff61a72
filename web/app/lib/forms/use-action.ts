import { useState } from "react";
import { banner } from "../banner.ts";
import { tellFailure } from "../show-error.ts";

/** Tells the member of a failure. */
type Tell = (error: unknown) => void;

/**
 * Runs one thing at a time, and shows whether it does: who asks again meanwhile is not heard. What was told of the last
 * failure is taken back by the next try, so that no banner waits behind one that is over.
 */
export function oneAtATime(
  showBusy: (isBusy: boolean) => void,
): (act: () => Promise<void>, tell: Tell) => Promise<void> {
  let isRunning = false;
  let takeBack = () => {};
  return async (act, tell) => {
    if (isRunning) return;
    isRunning = true;
    takeBack();
    showBusy(true);
    try {
      await act();
    } catch (error) {
      takeBack = banner.retractable(() => tell(error));
    } finally {
      isRunning = false;
      showBusy(false);
    }
  };
}

/**
 * What a button does that takes a while: `start` begins it unless it runs already, `isBusy` is for the button, which
 * keeps the focus. A failure is told, unless another `tell` knows better, even to who has left the screen meanwhile.
 */
export function useAction<Input extends unknown[]>(
  act: (...input: Input) => Promise<void>,
  tell: Tell = tellFailure,
): { isBusy: boolean; start: (...input: Input) => void } {
  const [isBusy, setBusy] = useState(false);
  const [run] = useState(() => oneAtATime(setBusy));
  return { isBusy, start: (...input) => void run(() => act(...input), tell) };
}
