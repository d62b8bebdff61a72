import { useEffect, useEffectEvent, useState, type ComponentType } from "react";

interface Openable {
  isOpen: boolean;
  onClose: () => void;
}

/** Dispatched when a part of the app could not be loaded. */
export const LOAD_FAILED_EVENT = "load-failed";

/** Loads a component when it first opens. If that fails it closes, and the next opening tries again. */
export function onDemand<P extends Openable>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let loaded: ComponentType<P> | null = null;
  return function OnDemand(props: P) {
    const [Component, setComponent] = useState(() => loaded);
    const handleFailure = useEffectEvent(() => props.onClose());
    const isNeeded = props.isOpen && !Component;
    useEffect(() => {
      if (!isNeeded) return undefined;
      let isMounted = true;
      const start = async () => {
        try {
          const component = await load();
          loaded = component;
          if (isMounted) setComponent(() => component);
        } catch {
          dispatchEvent(new Event(LOAD_FAILED_EVENT));
          if (isMounted) handleFailure();
        }
      };
      void start();
      return () => {
        isMounted = false;
      };
    }, [isNeeded]);
    return Component && <Component {...props} />;
  };
}
