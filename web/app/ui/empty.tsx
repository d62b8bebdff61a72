import type { ReactNode } from "react";
import { Logo } from "./logo.tsx";
import { classNames } from "./class-names.ts";
import artStyles from "./art.module.css";
import styles from "./empty.module.css";

const NICHE = "M12 96V48a36 36 0 0 1 72 0v48Z";

interface EmptyProps {
  title: string;
  text?: string;
  action?: ReactNode;
  /** Takes the height that is left. */
  fills?: boolean;
}

/** An empty place: one sentence, at most one action. */
export function Empty({ title, text, action, fills = false }: EmptyProps) {
  return (
    <div className={classNames(styles.empty, fills && styles.fills)}>
      <div className={styles.art}>
        <svg viewBox="0 0 96 104" aria-hidden="true">
          <defs>
            <radialGradient id="nz" cx=".5" cy="1" r=".7">
              <stop className={classNames(artStyles.artStop1, artStyles.niche)} offset="0" />
              <stop className={artStyles.artStop2} offset="1" />
            </radialGradient>
          </defs>
          <path className={artStyles.artNiche} d={NICHE} />
          <path d={NICHE} fill="url(#nz)" />
        </svg>
      </div>
      <h2>{title}</h2>
      {text && <p>{text}</p>}
      {action}
    </div>
  );
}

/** The empty detail pane beside a list; hidden on a phone. */
export function NothingSelected({ text }: { text?: string | undefined }) {
  return (
    <div className={classNames(styles.empty, "only-wide")}>
      <div className={styles.art}>
        <Logo />
      </div>
      {text && <p>{text}</p>}
    </div>
  );
}
