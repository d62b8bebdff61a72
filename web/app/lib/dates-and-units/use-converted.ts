import { useState } from "react";
import { convert, type Unit } from "./units.ts";

/** A number that is converted when its unit changes. It is always computed from the typed one, so that it does not drift. */
export function useConverted<U extends Unit>(value: number | null | undefined, unit: U) {
  const [typed, setTyped] = useState({ text: String(value ?? ""), unit });
  const [shown, choose] = useState(unit);
  return {
    text: convert(typed.text, typed.unit, shown),
    unit: shown,
    type: (text: string) => setTyped({ text, unit: shown }),
    choose,
  };
}
