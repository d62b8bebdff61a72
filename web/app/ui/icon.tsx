import type { ReactElement } from "react";
import type { moreIcons } from "./more-icons.tsx";
import { classNames } from "./class-names.ts";
import styles from "./icon.module.css";

/** Icons of built pages, the login, banners, cover and lock screen. */
const firstIcons = {
  globe: (
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M3.5 12h17M12 3.5c5 5 5 12 0 17M12 3.5c-5 5-5 12 0 17" />
    </>
  ),
  hide: (
    <>
      <path d="M4 4.5l16 15M9.7 6.2A9 9 0 0 1 12 5.8c3.8 0 7 2 9.2 6.2a15 15 0 0 1-2.7 3.7M6 8.2A15 15 0 0 0 2.8 12c2.2 4.2 5.4 6.2 9.2 6.2 1.4 0 2.7-.3 3.9-.8M9.9 10.2a2.8 2.8 0 0 0 3.9 3.9" />
    </>
  ),
  home: (
    <>
      <path d="M4.5 10.4 12 4l7.5 6.4V19.5h-15Z" />
      <path d="M9.6 19.5v-4.1a2.4 2.4 0 0 1 4.8 0v4.1" />
    </>
  ),
  dm: (
    <>
      <path d="M5.6 4.8h12.8a2.1 2.1 0 0 1 2.1 2.1v7.7a2.1 2.1 0 0 1-2.1 2.1h-6.2l-4.4 3.4v-3.4H5.6a2.1 2.1 0 0 1-2.1-2.1V6.9a2.1 2.1 0 0 1 2.1-2.1Z" />
      <path d="M8 9.2h8M8 12.6h5" />
    </>
  ),
  settings: (
    <>
      <path d="M12 3.2l7.6 4.4v8.8L12 20.8l-7.6-4.4V7.6Z" />
      <circle cx="12" cy="12" r="3" />
    </>
  ),
  bell: (
    <>
      <path d="M6.3 16.5V11a5.7 5.7 0 0 1 11.4 0v5.5l1.6 1.7H4.7ZM10.2 20.7h3.6" />
    </>
  ),
  back: (
    <>
      <path d="M14.5 5 7.8 12l6.7 7" />
    </>
  ),
  next: (
    <>
      <path d="M9.5 5l6.7 7-6.7 7" />
    </>
  ),
  close: (
    <>
      <path d="M5.8 5.8l12.4 12.4M18.2 5.8 5.8 18.2" />
    </>
  ),
  check: (
    <>
      <path d="M4.8 12.6l4.7 4.7L19.4 7" />
    </>
  ),
  undo: (
    <>
      <path d="M8.8 5 4.4 9.3l4.4 4.3M4.8 9.3h8.9a5 5 0 0 1 0 10H9" />
    </>
  ),
  eye: (
    <>
      <path d="M2.8 12C5 7.8 8.2 5.8 12 5.8s7 2 9.2 6.2c-2.2 4.2-5.4 6.2-9.2 6.2S5 16.2 2.8 12Z" />
      <circle cx="12" cy="12" r="2.8" />
    </>
  ),
  alert: (
    <>
      <path d="M12 4.2 21 19.5H3Z" />
      <path d="M12 10v4.5M12 16.9v.2" />
    </>
  ),
  info: (
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M12 11v5.3M12 7.7v.2" />
    </>
  ),
  glass: (
    <>
      <rect x="4.5" y="3.8" width="15" height="16.4" rx="2" />
      <path d="M9.5 3.8v16.4M14.5 3.8v16.4" />
    </>
  ),
  search: (
    <>
      <circle cx="10.8" cy="10.8" r="6" />
      <path d="m15.3 15.3 4.7 4.7" />
    </>
  ),
  compose: (
    <path d="M19.5 12.5v5.3a2.2 2.2 0 0 1-2.2 2.2H6.2A2.2 2.2 0 0 1 4 17.8V6.7a2.2 2.2 0 0 1 2.2-2.2h5.3M9.5 14.5l.5-3L18.3 3.2l2.5 2.5L12.5 14Z" />
  ),
  backspace: <path d="M9 5.5h10.5v13H9L3.5 12ZM11.5 9.5l5 5M16.5 9.5l-5 5" />,
  card: (
    <>
      <rect x="3.5" y="5.5" width="17" height="13" rx="2" />
      <path d="M3.5 9.5h17M7 14.5h4" />
    </>
  ),
} satisfies Record<string, ReactElement>;

export type IconName = keyof typeof firstIcons | keyof typeof moreIcons;

const shapes: Partial<Record<IconName, ReactElement>> = { ...firstIcons };

/** Loads the other icons. */
export async function prepareIcons(): Promise<void> {
  Object.assign(shapes, (await import("./more-icons.tsx")).moreIcons);
}

/** Those loaded so far. */
export const iconNames = (): IconName[] => Object.keys(shapes) as IconName[];

/** Hidden from screen readers: text carries the meaning. */
export function Icon({ name, small = false }: { name: IconName; small?: boolean }) {
  return (
    <svg className={classNames(styles.icon, small && styles.small)} viewBox="0 0 24 24" aria-hidden="true">
      {shapes[name]}
    </svg>
  );
}
