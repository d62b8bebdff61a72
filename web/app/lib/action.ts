import { useState } from "react";
import { tellFailure } from "./failures.ts";

/** Tells the member of a failure. */
type Tell = (error: unknown) => void;

/** Runs one thing at a time, and shows whether it does: who asks again meanwhile is not heard. */
export function oneAtATime(
  showBusy: (isBusy: boolean) => void,
): (act: () => Promise<void>, tell: Tell) => Promise<void> {
  let isRunning = false;
  return async (act, tell) => {
    if (isRunning) return;
    isRunning = true;
    showBusy(true);
    try {
      await act();
    } catch (error) {
      tell(error);
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
