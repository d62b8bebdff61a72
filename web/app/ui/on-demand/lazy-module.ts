import { useEffect, useState } from "react";

const RETRY_MS = 5_000;

interface Loadable<T> {
  /** Null until it is loaded. */
  get(): T | null;
  load(): Promise<T>;
}

/** Code of the app that loads once, when it is first needed. */
export function lazyModule<T>(load: () => Promise<T>): Loadable<T> {
  let loaded: T | null = null;
  return {
    get: () => loaded,
    load: async () => (loaded ??= await load()),
  };
}

/** Loads it while it is needed, and tries again after a failure. */
export function useLazyModule<T>(code: Loadable<T>, isNeeded: boolean): T | null {
  const [loaded, setLoaded] = useState(() => code.get());
  const isMissing = isNeeded && loaded === null;
  useEffect(() => {
    if (!isMissing) return undefined;
    let timer: number | undefined;
    let isMounted = true;
    const load = () =>
      code.load().then(
        (result) => isMounted && setLoaded(() => result),
        () => isMounted && (timer = window.setTimeout(() => void load(), RETRY_MS)),
      );
    void load();
    return () => {
      isMounted = false;
      clearTimeout(timer);
    };
  }, [code, isMissing]);
  return loaded;
}
