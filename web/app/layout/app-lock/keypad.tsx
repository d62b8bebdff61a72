import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { Icon } from "../../ui/icon.tsx";
import styles from "./lock-screen.module.css";

const DIGITS = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];

interface KeypadProps {
  onDigit: (digit: string) => void;
  onDelete: () => void;
}

export function Keypad({ onDigit, onDelete }: KeypadProps) {
  const t = useTranslations("privacy");
  const key = (digit: string) => (
    <Key key={digit} onPress={() => onDigit(digit)}>
      {digit}
    </Key>
  );
  return (
    <div className={styles.keypad}>
      {DIGITS.map(key)}
      <span />
      {key("0")}
      <Key className={styles.bare} label={t("deleteDigit")} onPress={onDelete}>
        <Icon name="backspace" />
      </Key>
    </div>
  );
}

interface KeyProps {
  className?: string;
  label?: string;
  onPress: () => void;
  children: ReactNode;
}

/** The field keeps the focus, so that a keyboard still types into it. */
function Key({ className, label, onPress, children }: KeyProps) {
  return (
    <button
      type="button"
      className={className}
      aria-label={label}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onPress}
    >
      {children}
    </button>
  );
}
