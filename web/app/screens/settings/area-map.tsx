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

/** From the middle to an edge of the map, and a step on it. */
const REACH_KM = 40;
const STEP_KM = 5;
const CELL_KM = 5;
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
  Math.max(-REACH_KM, Math.min(REACH_KM, Math.round(km / STEP_KM) * STEP_KM));

/** A drawn plane of cells around the device's place, without streets: no map of another company learns of it. */
export function AreaMap({ offset, radiusKm, onChange }: AreaMapProps) {
  const t = useTranslations("hiddenAreas");
  const hintId = useId();
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
      east: stepped(((clientX - left) / width - 0.5) * 2 * REACH_KM),
      north: stepped((0.5 - (clientY - top) / height) * 2 * REACH_KM),
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
        <Drawing offset={offset} radiusKm={radiusKm} />
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

function Drawing({ offset, radiusKm }: Pick<AreaMapProps, "offset" | "radiusKm">) {
  const isInside = ({ x, y }: Point) =>
    Math.hypot(x - offset.east, y + offset.north) <= radiusKm + CELL_KM / 2;
  const shown = cells();
  return (
    <svg viewBox={`${-REACH_KM} ${-REACH_KM} ${2 * REACH_KM} ${2 * REACH_KM}`} aria-hidden="true">
      {shown.map((cell) => (
        <polygon key={`${cell.x},${cell.y}`} points={hexagon(cell)} className={styles.cell} />
      ))}
      {shown.filter(isInside).map((cell) => (
        <polygon key={`${cell.x},${cell.y}`} points={hexagon(cell)} className={styles.inside} />
      ))}
      <circle cx={offset.east} cy={-offset.north} r={radiusKm} className={styles.circle} />
      <circle cx={0} cy={0} r={1.4} className={styles.here} />
    </svg>
  );
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Centres of hexagons that fill the map. */
function cells(): Point[] {
  const rowKm = (CELL_KM * Math.sqrt(3)) / 2;
  const rows = Math.ceil(REACH_KM / rowKm);
  const columns = Math.ceil(REACH_KM / CELL_KM);
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
