import type { ComponentProps, ReactNode } from "react";
import { Icon, type IconName } from "./icon.tsx";
import { classNames } from "./class-names.ts";
import styles from "./button.module.css";

type Kind = "primary" | "lamp" | "quiet" | "ghost" | "danger";

interface ButtonProps extends ComponentProps<"button"> {
  kind?: Kind;
  block?: boolean;
  small?: boolean;
  /** Shows that the action runs, and ignores clicks. The button keeps the focus. */
  busy?: boolean;
  children: ReactNode;
}

/** Returns the classes of a button for a link that looks like one. */
export function buttonClass({
  kind = "primary",
  block = false,
  small = false,
}: Pick<ButtonProps, "kind" | "block" | "small">): string {
  return classNames(styles.button, styles[kind], block && styles.block, small && styles.small);
}

/** NOTE: The default type is `button`, not `submit`. */
export function Button({
  kind,
  block,
  small,
  busy = false,
  disabled,
  onClick,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass({ kind, block, small })}
      disabled={disabled}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest["aria-disabled"] || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {children}
    </button>
  );
}

interface IconButtonProps extends Omit<ComponentProps<"button">, "children"> {
  icon: IconName;
  label: string;
  look?: "solid" | "raised";
}

export function IconButton({ icon, label, look, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={classNames(
        styles.iconButton,
        look === "solid" && styles.solid,
        look === "raised" && styles.raised,
      )}
      aria-label={label}
      title={label}
    >
      <Icon name={icon} />
    </button>
  );
}
