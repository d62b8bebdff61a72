import type { ReactNode } from "react";
import styles from "./how-it-works.module.css";

const NICHE = "M46 132V70a34 34 0 0 1 68 0v62Z";
const LEFT = "M30 132V74a30 30 0 0 1 60 0v58Z";
const RIGHT = "M70 132V74a30 30 0 0 1 60 0v58Z";
const SHARED = "M70 132V74a30 30 0 0 1 10-22.4A30 30 0 0 1 90 74v58Z";

function Drawing({ children }: { children: ReactNode }) {
  return (
    <svg className={styles.art} viewBox="0 0 160 148" aria-hidden="true">
      <path className={styles.floor} d="M8 132h144" />
      {children}
    </svg>
  );
}

/** One person in a lit niche. */
export function CardArt() {
  return (
    <Drawing>
      <path className={styles.lit} d={NICHE} />
      <circle className={styles.person} cx="80" cy="78" r="12" />
      <path className={styles.person} d="M56 132c0-18 10-30 24-30s24 12 24 30Z" />
      <path className={styles.glass} d="M60 56v76M70 52v80M80 50v82M90 52v80M100 56v76" />
    </Drawing>
  );
}

/** Two niches, lit where they overlap. */
export function LikeArt() {
  return (
    <Drawing>
      <path className={styles.niche} d={LEFT} />
      <path className={styles.niche} d={RIGHT} />
      <path className={styles.lit} d={SHARED} />
    </Drawing>
  );
}

/** Two envelopes in a niche. */
export function LettersArt() {
  return (
    <Drawing>
      <path className={styles.niche} d={NICHE} />
      <path className={styles.letter} d="M54 78h46a4 4 0 0 1 4 4v26a4 4 0 0 1-4 4H58a4 4 0 0 1-4-4Z" />
      <path className={styles.line} d="m55 80 24 18 24-18" />
      <path
        className={styles.own}
        d="M74 104h38a4 4 0 0 1 4 4v20a4 4 0 0 1-4 4H74a4 4 0 0 1-4-4v-20a4 4 0 0 1 4-4Z"
      />
      <path className={styles.ownLine} d="m71 106 22 15 22-15" />
    </Drawing>
  );
}

/** An empty niche, with the way out. */
export function LeaveArt() {
  return (
    <Drawing>
      <path className={styles.empty} d={NICHE} />
      <path className={styles.line} d="M92 100h44M124 88l12 12-12 12" />
    </Drawing>
  );
}
