import { PEAK_MAX } from "@alcove/contract/voice-note";
import styles from "./voice.module.css";

const STEP = 3;
const HEIGHT = 32;
const LEAST = 1;
const MOST = 28;

/** Drawn from the real sound. `played` is a share. */
export function Waveform({ peaks, played = 0 }: { peaks: readonly number[]; played?: number }) {
  const bars = peaks.map((peak, i) => {
    const height = LEAST + (peak / PEAK_MAX) * (MOST - LEAST);
    return `M${i * STEP + STEP / 2} ${(HEIGHT - height) / 2}v${height}`;
  });
  return (
    <svg
      className={styles.waveform}
      viewBox={`0 0 ${peaks.length * STEP} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path d={bars.join("")} />
      <path className={styles.played} d={bars.slice(0, Math.round(played * bars.length)).join("")} />
    </svg>
  );
}
