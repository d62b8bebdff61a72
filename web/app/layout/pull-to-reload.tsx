import { useEffect, useEffectEvent, useState, type CSSProperties } from "react";
import { PULL_RELOAD_PX } from "@alcove/contract/times";
import { isPullVisible, watchPull } from "../lib/page/pull-gesture.ts";
import { Icon } from "../ui/icon.tsx";
import styles from "./pull-to-reload.module.css";

/** Reloads the page when a finger pulls it down from its top. */
export function PullToReload({ onReload }: { onReload: () => void }) {
  const [pulledPx, setPulledPx] = useState(0);
  const reload = useEffectEvent(onReload);
  useEffect(() => {
    const watching = new AbortController();
    watchPull({ onPull: setPulledPx, onReload: () => reload() }, watching.signal);
    return () => watching.abort();
  }, []);

  if (!isPullVisible(pulledPx)) return null;
  const style = { "--pulled": Math.min(1, pulledPx / PULL_RELOAD_PX) } as CSSProperties;
  return (
    <div
      className={styles.pull}
      aria-hidden="true"
      data-far={pulledPx > PULL_RELOAD_PX ? "" : undefined}
      style={style}
    >
      <Icon name="undo" />
    </div>
  );
}
