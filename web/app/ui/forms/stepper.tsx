import { useState, type Ref } from "react";
import { isComposing } from "./is-composing.ts";
import { IconButton } from "../button.tsx";
import styles from "./stepper.module.css";

interface StepperProps {
  label: string;
  lessLabel: string;
  moreLabel: string;
  value: number;
  max: number;
  /** Converts typed text to a value. */
  read: (typed: string) => number;
  describedBy?: string | undefined;
  inputRef?: Ref<HTMLInputElement>;
  onChange: (value: number) => void;
}

/**
 * A whole number between minus and plus. The typed text stays until the field loses the focus; its value is
 * reported at once.
 */
export function Stepper({
  label,
  lessLabel,
  moreLabel,
  value,
  max,
  read,
  describedBy,
  inputRef,
  onChange,
}: StepperProps) {
  const [typed, setTyped] = useState<string | null>(null);
  function change(to: number) {
    setTyped(null);
    onChange(Math.min(Math.max(to, 0), max));
  }
  return (
    <span className={styles.stepper}>
      <IconButton icon="minus" label={lessLabel} onClick={() => change(value - 1)} />
      <input
        ref={inputRef}
        aria-label={label}
        aria-describedby={describedBy}
        inputMode="numeric"
        autoComplete="off"
        value={typed ?? value}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
          onChange(read(currentTarget.value));
        }}
        onBlur={() => setTyped(null)}
        onKeyDown={(event) => {
          const step = { ArrowUp: 1, ArrowDown: -1, Enter: 0 }[event.key];
          if (step === undefined || isComposing(event.nativeEvent)) return;
          event.preventDefault();
          change(value + step);
        }}
      />
      <IconButton icon="plus" label={moreLabel} onClick={() => change(value + 1)} />
    </span>
  );
}
