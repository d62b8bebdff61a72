import type { InputHTMLAttributes, ReactNode } from "react";
import styles from "./switch.module.css";

interface SwitchProps extends InputHTMLAttributes<HTMLInputElement> {
  hint?: ReactNode;
  children: ReactNode;
}

export function Switch({ hint, children, ...input }: SwitchProps) {
  return (
    <label className={styles.switch}>
      <span>
        {children}
        {hint && <span className="hint">{hint}</span>}
      </span>
      {/* oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- a checkbox has its state */}
      <input type="checkbox" role="switch" {...input} />
    </label>
  );
}
