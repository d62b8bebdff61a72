import { classNames } from "./class-names.ts";
import styles from "./art.module.css";
interface ArtProps {
  viewBox?: string;
  /** Unlit for missing pages and empty places. */
  isLit?: boolean;
  isCropped?: boolean;
}

const RIGHT = "M176 200V108a62 62 0 0 1 124 0v92Z";
const LEFT = "M100 200V108a62 62 0 0 1 124 0v92Z";
const SHARED = "M176 200V108A62 62 0 0 1 200 59.01A62 62 0 0 1 224 108V200Z";

/** Two overlapping niches, lit where they overlap. */
export function Art({ viewBox = "0 0 400 262", isLit = true, isCropped = false }: ArtProps) {
  return (
    <svg
      className={styles.art}
      viewBox={viewBox}
      preserveAspectRatio={isCropped ? "xMidYMax slice" : "xMidYMid meet"}
      aria-hidden="true"
    >
      <FloorGradient />
      {isLit && <Light />}
      <rect fill="url(#fl)" x="-800" y="200" width="2000" height="600" />
      <path className={styles.right} d={RIGHT} />
      {isLit && <path d={RIGHT} fill="url(#as)" />}
      {isLit && <path d={RIGHT} fill="url(#ar)" />}
      <path className={styles.left} d={LEFT} />
      {isLit && <path d={LEFT} fill="url(#as)" />}
      {isLit && <path d={LEFT} fill="url(#al)" />}
      {isLit ? <path d={SHARED} fill="url(#ag)" /> : <path className={styles.artNiche} d={SHARED} />}
      {isLit && <path d="M176 200h48l52 120H124Z" fill="url(#af)" />}
    </svg>
  );
}

/** Fades at both sides. */
function FloorGradient() {
  return (
    <defs>
      <linearGradient id="fl" gradientUnits="userSpaceOnUse" x1="66" y1="0" x2="334" y2="0">
        <stop className={classNames(styles.artFloor, styles.end)} offset="0" />
        <stop className={styles.artFloor} offset=".3" />
        <stop className={styles.artFloor} offset=".7" />
        <stop className={classNames(styles.artFloor, styles.end)} offset="1" />
      </linearGradient>
    </defs>
  );
}

function Light() {
  return (
    <defs>
      <linearGradient id="ag" x1="0" y1="0" x2="0" y2="1">
        <stop className={styles.light1} offset="0" />
        <stop className={styles.light2} offset="1" />
      </linearGradient>
      <linearGradient id="as" x1="0" y1="0" x2="0" y2="1">
        <stop offset="0" stopColor="#000" stopOpacity=".22" />
        <stop offset=".6" stopColor="#000" stopOpacity="0" />
      </linearGradient>
      <linearGradient id="al" x1="1" y1="0" x2="0" y2="0">
        <stop className={styles.artStop1} offset="0" />
        <stop className={styles.artStop2} offset=".46" />
      </linearGradient>
      <linearGradient id="ar" x1="0" y1="0" x2="1" y2="0">
        <stop className={classNames(styles.artStop1, styles.artStop1Right)} offset="0" />
        <stop className={styles.artStop2} offset=".5" />
      </linearGradient>
      <linearGradient id="af" x1="0" y1="0" x2="0" y2="1">
        <stop className={classNames(styles.artStop1, styles.floor)} offset="0" />
        <stop className={styles.artStop2} offset=".9" />
      </linearGradient>
    </defs>
  );
}
