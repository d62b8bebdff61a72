import {
  useId,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  type WheelEvent,
} from "react";
import { FieldErrorText, useErrorText, type FieldError } from "./field.tsx";
import { classNames } from "../class-names.ts";
import fieldStyles from "./field.module.css";
import styles from "./range-slider.module.css";

interface RangeSliderProps {
  label: string;
  /** Names of the lower and upper value, and labels of their thumbs. */
  names: readonly [string, string];
  thumbs: readonly [string, string];
  limits: { min: number; max: number };
  values: readonly [number, number];
  /** Formats both values, such as "0 – 500 km". */
  format: (low: number, high: number) => string;
  /** Called when a thumb moves. */
  onMove?: (low: number, high: number) => void;
  error?: FieldError | undefined;
  ownError?: FieldError | undefined;
  hint?: ReactNode;
}

const PAGE_STEP = 10;

/**
 * Two native range inputs on one track. A stored value below the track shows at its start and is sent unchanged
 * until its thumb moves.
 */
export function RangeSlider({
  label,
  names,
  thumbs,
  limits,
  values,
  format,
  onMove,
  error,
  ownError,
  hint,
}: RangeSliderProps) {
  const id = useId();
  const message = useErrorText(error ?? ownError);
  const [[low, high], setValues] = useState(values);
  const shownLow = Math.max(low, limits.min);
  const shownHigh = Math.max(high, limits.min);
  const control = {
    "aria-invalid": message ? true : undefined,
    "aria-describedby": [message && `${id}-e`, hint && `${id}-h`].filter(Boolean).join(" ") || undefined,
    "aria-valuetext": format(shownLow, shownHigh),
    onWheel: blurOnWheel,
  } as const;
  const track = {
    "--min": limits.min,
    "--max": limits.max,
    "--lo": shownLow,
    "--hi": shownHigh,
  } as CSSProperties;
  // If both thumbs are at one place, the movable one lies in front.
  const isLowInFront = shownLow > (limits.min + limits.max) / 2;
  const move = (...to: [low: number, high: number]) => {
    setValues(to);
    onMove?.(...to);
  };
  const setLow = (value: number) => move(Math.max(limits.min, Math.min(value, shownHigh)), high);
  const setHigh = (value: number) => move(low, Math.min(limits.max, Math.max(value, shownLow)));
  return (
    <div role="group" aria-labelledby={id}>
      <div className="row between">
        <span className={classNames(fieldStyles.legend, fieldStyles.inline)} id={id}>
          {label}
        </span>
        <output className="num">{control["aria-valuetext"]}</output>
      </div>
      {message && <FieldErrorText id={`${id}-e`}>{message}</FieldErrorText>}
      <div className={styles.range} style={track}>
        <input
          type="range"
          className={isLowInFront ? styles.front : undefined}
          {...limits}
          {...control}
          step={1}
          value={shownLow}
          aria-label={thumbs[0]}
          onChange={(event) => setLow(event.currentTarget.valueAsNumber)}
          onKeyDown={(event) => movePage(event, shownLow, setLow)}
        />
        <input
          type="range"
          {...limits}
          {...control}
          step={1}
          value={shownHigh}
          aria-label={thumbs[1]}
          onChange={(event) => setHigh(event.currentTarget.valueAsNumber)}
          onKeyDown={(event) => movePage(event, shownHigh, setHigh)}
        />
      </div>
      <input type="hidden" name={names[0]} value={low} />
      <input type="hidden" name={names[1]} value={high} />
      <Ends {...limits} />
      {hint && (
        <p className={classNames("hint", styles.hint)} id={`${id}-h`}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** In Firefox the wheel moves the thumb that has the focus, in place of the page. */
function blurOnWheel({ currentTarget }: WheelEvent<HTMLInputElement>): void {
  currentTarget.blur();
}

function movePage(event: KeyboardEvent, value: number, set: (value: number) => void): void {
  const step = { PageUp: PAGE_STEP, PageDown: -PAGE_STEP }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  set(value + step);
}

function Ends({ min, max }: RangeSliderProps["limits"]) {
  return (
    <div className={styles.ends}>
      <span>{min}</span>
      <span>{max}</span>
    </div>
  );
}
