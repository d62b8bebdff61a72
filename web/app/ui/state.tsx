import { useId, type ReactNode } from "react";
import { classNames } from "./class-names.ts";
import artStyles from "./art.module.css";
import styles from "./state.module.css";

const NICHE = "M12 96V48a36 36 0 0 1 72 0v48Z";

interface StateProps {
  title: string;
  /** How much light the niche holds, from 0 to 1. */
  light?: number;
  /** More of the screen follows it. */
  isHead?: boolean;
  /** Replaces the light by a sign in a smaller niche. */
  sign?: ReactNode;
  /** `h1` where nothing else names the screen. */
  heading?: "h1" | "h2";
  children?: ReactNode;
}

/** A screen without its usual content: what happened, and the next step. */
export function State({
  title,
  light = 0.35,
  isHead = false,
  sign,
  heading: Heading = "h2",
  children,
}: StateProps) {
  return (
    <div
      className={classNames(styles.state, isHead && styles.stateHead)}
      data-centered={isHead ? undefined : ""}
    >
      <div className={classNames(styles.art, (isHead || Boolean(sign)) && styles.artSmall)}>
        <Niche light={sign ? 0 : light}>{sign}</Niche>
      </div>
      <Heading>{title}</Heading>
      {children}
    </div>
  );
}

function Niche({ light, children }: { light: number; children: ReactNode }) {
  const id = useId();
  return (
    <svg viewBox="0 0 96 104" aria-hidden="true">
      <path className={artStyles.artNiche} d={NICHE} />
      {light > 0 && (
        <>
          <defs>
            <radialGradient id={id} cx=".5" cy="1" r={0.35 + 0.5 * light}>
              <stop className={artStyles.artStop1} offset="0" style={{ stopOpacity: 0.5 + 0.35 * light }} />
              <stop className={artStyles.artStop2} offset="1" />
            </radialGradient>
          </defs>
          <path d={NICHE} fill={`url(#${id})`} />
        </>
      )}
      {children}
    </svg>
  );
}

/** A crossed pin, drawn into the niche. */
export function PinOffSign() {
  return (
    <g className={styles.sign} transform="translate(28 34) scale(1.67)">
      <path d="M12 21c4.4-4.7 6.6-8.2 6.6-11.3a6.6 6.6 0 0 0-13.2 0C5.4 12.8 7.6 16.3 12 21ZM4 3l16 18" />
      <circle cx="12" cy="9.8" r="2.4" />
    </g>
  );
}

/** A crossed cloud, drawn into the niche. */
export function OfflineSign() {
  return (
    <g className={styles.sign} transform="translate(26 36) scale(1.84)">
      <path d="M4.5 4.5l15 15M8.6 8.3a5 5 0 0 0-1 1.9A4.1 4.1 0 0 0 8 18.3h9.6M11 6.5a5.2 5.2 0 0 1 5.9 4.3 3.8 3.8 0 0 1 2.7 6" />
    </g>
  );
}
