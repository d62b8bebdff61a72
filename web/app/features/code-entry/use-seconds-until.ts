import { useEffect, useState } from "react";

/** Counts down to a time that stays, in whole seconds; 0 when it is over. */
export function useSecondsUntil(time: number): number {
  const [now, setNow] = useState(() => Date.now());
  const seconds = Math.max(0, Math.ceil((time - now) / 1_000));
  const isOver = seconds === 0;
  useEffect(() => {
    if (isOver) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [isOver]);
  return seconds;
}
