import { useEffect, useEffectEvent, useState, type ComponentType } from "react";

const RETRY_MS = 5_000;

/** Dispatched when a part of the app that the member opened could not be loaded. */
export const LOAD_FAILED_EVENT = "load-failed";

interface Loadable<T> {
  /** Null until it is loaded. */
  get(): T | null;
  load(): Promise<T>;
}

/**
 * Code of the app that loads once, when it is first needed. `React.lazy` shows its code 300 ms after the fallback at the
 * earliest, never in the frame of a press, and keeps a failure for good.
 */
export function lazyModule<T>(load: () => Promise<T>): Loadable<T> {
  let loaded: T | null = null;
  return {
    get: () => loaded,
    load: async () => (loaded ??= await load()),
  };
}

/**
 * Loads it while it is needed. A failure is reported to the member if there is `onFail`, else another attempt follows.
 */
export function useLazyModule<T>(code: Loadable<T>, isNeeded: boolean, onFail?: () => void): T | null {
  const [loaded, setLoaded] = useState(() => code.get());
  const isMissing = isNeeded && loaded === null;
  const handleFailure = useEffectEvent((retry: () => void) => {
    if (!onFail) return setTimeout(retry, RETRY_MS);
    dispatchEvent(new Event(LOAD_FAILED_EVENT));
    onFail();
    return undefined;
  });
  useEffect(() => {
    if (!isMissing) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isMounted = true;
    const load = () =>
      code.load().then(
        (result) => isMounted && setLoaded(() => result),
        () => isMounted && (timer = handleFailure(() => void load())),
      );
    void load();
    return () => {
      isMounted = false;
      clearTimeout(timer);
    };
  }, [code, isMissing]);
  return loaded;
}

interface Openable {
  isOpen: boolean;
  onClose: () => void;
}

/** Loads a component when it first opens. If that fails it closes, and the next opening tries again. */
export function onDemand<P extends Openable>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const code = lazyModule(load);
  return function OnDemand(props: P) {
    const Component = useLazyModule(code, props.isOpen, props.onClose);
    return Component && <Component {...props} />;
  };
}
