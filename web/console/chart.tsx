import type { Figure } from "@alcove/contract/console-statistics";
import styles from "./chart.module.css";

export interface Point {
  readonly name: string;
  readonly value: Figure;
}

/** Few are drawn as their middle, pale. */
const FEW = 5;
const LEAST_TOP = 10;
const heightOf = ({ value }: Point): number => (typeof value === "number" ? Math.max(0, value) : FEW);

/** The next 1, 2 or 5 times a power of ten. */
function topOf(highest: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(highest, LEAST_TOP)));
  return [1, 2, 5, 10].map((step) => step * power).find((top) => top >= highest)!;
}

/** Bars without text, which the browser would stretch: the axes are beside them. The table has the numbers. */
export function Chart({ label, points }: { label: string; points: readonly Point[] }) {
  const top = topOf(Math.max(...points.map(heightOf)));
  return (
    <figure className={styles.chart}>
      <figcaption className="small muted">{label}</figcaption>
      <div className={styles.scale} aria-hidden="true">
        <span>{top.toLocaleString("en")}</span>
        <span>{(top / 2).toLocaleString("en")}</span>
        <span>0</span>
      </div>
      <svg viewBox={`0 0 ${points.length} 100`} preserveAspectRatio="none" aria-hidden="true">
        {[0, 50, 100].map((y) => (
          <line key={y} x1="0" x2={points.length} y1={y} y2={y} className={styles.line} />
        ))}
        {points.map((point, i) => {
          const height = (100 * heightOf(point)) / top;
          const isFew = typeof point.value !== "number";
          return (
            <rect
              key={point.name}
              className={isFew ? styles.few : styles.bar}
              x={i + 0.15}
              width="0.7"
              y={100 - height}
              height={height}
            >
              <title>{`${point.name}: ${point.value}`}</title>
            </rect>
          );
        })}
      </svg>
      <div className={styles.names} aria-hidden="true">
        <span>{points[0]?.name}</span>
        {points.length > 1 && <span>{points.at(-1)!.name}</span>}
      </div>
    </figure>
  );
}
