import { type KeyboardEvent, type PointerEvent, useId } from "react";
import { useTranslations } from "use-intl";
import { hasKeys } from "../../lib/page/has-keys.ts";
import { Button } from "../../ui/button.tsx";
import styles from "./area-map.module.css";

/** In kilometres from the device's place. */
export interface Offset {
  readonly east: number;
  readonly north: number;
}

interface AreaMapProps {
  offset: Offset;
  radiusKm: number;
  onChange: (offset: Offset) => void;
}

/** As far as an area moves from the device's place, and a step of it. */
const FARTHEST_KM = 40;
const STEP_KM = 5;
const CELL_KM = 5;
const SCALE_KM = 10;
const MOVES = {
  north: { east: 0, north: STEP_KM },
  west: { east: -STEP_KM, north: 0 },
  east: { east: STEP_KM, north: 0 },
  south: { east: 0, north: -STEP_KM },
} as const;
type Direction = keyof typeof MOVES;
const DIRECTIONS = Object.keys(MOVES) as Direction[];
const KEYS: Readonly<Record<string, Direction>> = {
  ArrowUp: "north",
  ArrowLeft: "west",
  ArrowRight: "east",
  ArrowDown: "south",
};

const stepped = (km: number): number =>
  Math.max(-FARTHEST_KM, Math.min(FARTHEST_KM, Math.round(km / STEP_KM) * STEP_KM));

/** Kilometres from the middle to an edge of the map: it shows the whole area and the device's place, as large as they fit. */
function reachOf({ east, north }: Offset, radiusKm: number): number {
  const needed = Math.max(Math.abs(east), Math.abs(north)) + 1.5 * radiusKm;
  return Math.ceil(needed / 20) * 20;
}

/** A drawn plane of cells around the device's place, without streets: no map of another company learns of it. */
export function AreaMap({ offset, radiusKm, onChange }: AreaMapProps) {
  const t = useTranslations("hiddenAreas");
  const hintId = useId();
  const reachKm = reachOf(offset, radiusKm);
  const move = (direction: Direction) => {
    const { east, north } = MOVES[direction];
    onChange({ east: stepped(offset.east + east), north: stepped(offset.north + north) });
  };
  function handleKey(event: KeyboardEvent) {
    const direction = KEYS[event.key];
    if (!direction) return;
    event.preventDefault();
    move(direction);
  }
  function handlePress({ currentTarget, clientX, clientY }: PointerEvent) {
    const { left, top, width, height } = currentTarget.getBoundingClientRect();
    onChange({
      east: stepped(((clientX - left) / width - 0.5) * 2 * reachKm),
      north: stepped((0.5 - (clientY - top) / height) * 2 * reachKm),
    });
  }
  return (
    <div className="stack-sm">
      <div
        className={styles.map}
        role="group"
        tabIndex={0}
        aria-label={t("map")}
        aria-describedby={hintId}
        onKeyDown={handleKey}
        onPointerUp={handlePress}
      >
        <Drawing offset={offset} radiusKm={radiusKm} reachKm={reachKm} />
        <span className={styles.scale} style={{ width: `${(50 * SCALE_KM) / reachKm}%` }} aria-hidden="true">
          {t("km", { km: String(SCALE_KM) })}
        </span>
      </div>
      <p className="hint" id={hintId} aria-live="polite">
        <Where offset={offset} /> {t(hasKeys() ? "mapHintKeys" : "mapHint")}
      </p>
      <div className={styles.moves}>
        {DIRECTIONS.map((direction) => (
          <Button key={direction} kind="quiet" small onClick={() => move(direction)}>
            {t(direction)}
          </Button>
        ))}
      </div>
    </div>
  );
}

function Where({ offset: { east, north } }: { offset: Offset }) {
  const t = useTranslations("hiddenAreas");
  const parts = [
    north !== 0 && t(north > 0 ? "kmNorth" : "kmSouth", { km: String(Math.abs(north)) }),
    east !== 0 && t(east > 0 ? "kmEast" : "kmWest", { km: String(Math.abs(east)) }),
  ].filter((part) => part !== false);
  if (parts.length === 0) return t("whereHere");
  return t("whereFromHere", { way: parts.join(t("andThen")) });
}

interface DrawingProps {
  offset: Offset;
  radiusKm: number;
  reachKm: number;
}

function Drawing({ offset, radiusKm, reachKm }: DrawingProps) {
  const isInside = ({ x, y }: Point) =>
    Math.hypot(x - offset.east, y + offset.north) <= radiusKm + CELL_KM / 2;
  const shown = cells(reachKm);
  return (
    <svg viewBox={`${-reachKm} ${-reachKm} ${2 * reachKm} ${2 * reachKm}`} aria-hidden="true">
      {shown.map((cell) => (
        <polygon key={`${cell.x},${cell.y}`} points={hexagon(cell)} className={styles.cell} />
      ))}
      {shown.filter(isInside).map((cell) => (
        <polygon key={`${cell.x},${cell.y}`} points={hexagon(cell)} className={styles.inside} />
      ))}
      <circle cx={offset.east} cy={-offset.north} r={radiusKm} className={styles.circle} />
      <circle cx={0} cy={0} r={reachKm / 32} className={styles.here} />
    </svg>
  );
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Centres of hexagons that fill the map. */
function cells(reachKm: number): Point[] {
  const rowKm = (CELL_KM * Math.sqrt(3)) / 2;
  const rows = Math.ceil(reachKm / rowKm);
  const columns = Math.ceil(reachKm / CELL_KM);
  return range(rows).flatMap((row) =>
    range(columns).map((column) => ({
      x: (column + (row % 2 === 0 ? 0 : 0.5)) * CELL_KM,
      y: row * rowKm,
    })),
  );
}

const range = (most: number): number[] => Array.from({ length: 2 * most + 1 }, (_, i) => i - most);

function hexagon({ x, y }: Point): string {
  const edge = CELL_KM / Math.sqrt(3);
  return Array.from({ length: 6 }, (_, i) => {
    const angle = (Math.PI / 3) * i + Math.PI / 6;
    return `${(x + edge * Math.cos(angle)).toFixed(2)},${(y + edge * Math.sin(angle)).toFixed(2)}`;
  }).join(" ");
}
