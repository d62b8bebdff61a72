import type { ReactElement } from "react";

const shapes = {
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
  filter: (
    <>
      <path d="M4 8h7M17 8h3M4 16h3M13 16h7" />
      <circle cx="14" cy="8" r="2.6" />
      <circle cx="10" cy="16" r="2.6" />
    </>
  ),
  user: (
    <>
      <circle cx="12" cy="8.4" r="3.9" />
      <path d="M4.8 20c.3-4.2 3.2-6.4 7.2-6.4s6.9 2.2 7.2 6.4" />
    </>
  ),
  lock: (
    <>
      <rect x="5" y="10.5" width="14" height="9.5" rx="2" />
      <path d="M8.2 10.5V8a3.8 3.8 0 0 1 7.6 0v2.5" />
    </>
  ),
  key: (
    <>
      <circle cx="8.2" cy="15.8" r="4" />
      <path d="M11 13 19.5 4.5M16 8l2.8 2.8M13.6 10.4l1.8 1.8" />
    </>
  ),
  devices: (
    <>
      <path d="M12.5 15.5H4.5v-10h14v2.5M2.5 18.8H12" />
      <rect x="15" y="10.5" width="6" height="9" rx="1.4" />
    </>
  ),
  bell: (
    <>
      <path d="M6.3 16.5V11a5.7 5.7 0 0 1 11.4 0v5.5l1.6 1.7H4.7ZM10.2 20.7h3.6" />
    </>
  ),
  receipt: (
    <>
      <path d="M6 3.8h12v16.7l-2.4-1.6-2.4 1.6-2.4-1.6-2.4 1.6L6 18.9Z" />
      <path d="M9 8.5h6M9 12h6" />
    </>
  ),
  coins: (
    <>
      <ellipse cx="9.2" cy="7.2" rx="5.4" ry="2.9" />
      <path d="M3.8 7.2v4.6c0 1.6 2.4 2.9 5.4 2.9M14.6 7.2v2" />
      <ellipse cx="14.8" cy="12.6" rx="5.4" ry="2.9" />
      <path d="M9.4 12.6v4.6c0 1.6 2.4 2.9 5.4 2.9s5.4-1.3 5.4-2.9v-4.6" />
    </>
  ),
  logout: (
    <>
      <path d="M10 4.5H5.5v15H10M10 12h9.5M16 8l4 4-4 4" />
    </>
  ),
  trash: (
    <>
      <path d="M4.5 6.8h15M9.3 6.8V4.4h5.4v2.4M6.3 6.8l.9 12.8h9.6l.9-12.8M10.2 10.4v5.6M13.8 10.4v5.6" />
    </>
  ),
  image: (
    <>
      <rect x="3.8" y="4.8" width="16.4" height="14.4" rx="2.2" />
      <circle cx="9" cy="10" r="1.7" />
      <path d="M4.2 17.6l4.9-4.3 3.2 2.7 3.2-3.5 4.5 4.4" />
    </>
  ),
  send: (
    <>
      <path d="M4.2 11.6 20 4.4l-5.2 15.4-3.2-6.4Z" />
      <path d="M11.6 13.4 20 4.4" />
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
  clock: (
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M12 7.3V12l3.2 2.2" />
    </>
  ),
  check: (
    <>
      <path d="M4.8 12.6l4.7 4.7L19.4 7" />
    </>
  ),
  plus: (
    <>
      <path d="M12 5v14M5 12h14" />
    </>
  ),
  minus: (
    <>
      <path d="M5 12h14" />
    </>
  ),
  copy: (
    <>
      <rect x="8.5" y="8.5" width="11.5" height="11.5" rx="2" />
      <path d="M15.5 8.5V6a2 2 0 0 0-2-2H6a2 2 0 0 0-2 2v7.5a2 2 0 0 0 2 2h2.5" />
    </>
  ),
  pin: (
    <>
      <path d="M12 21c4.4-4.7 6.6-8.2 6.6-11.3a6.6 6.6 0 0 0-13.2 0C5.4 12.8 7.6 16.3 12 21Z" />
      <circle cx="12" cy="9.8" r="2.4" />
    </>
  ),
  undo: (
    <>
      <path d="M8.8 5 4.4 9.3l4.4 4.3M4.8 9.3h8.9a5 5 0 0 1 0 10H9" />
    </>
  ),
  more: (
    <>
      <path d="M5.5 12h.01M12 12h.01M18.5 12h.01" strokeWidth="2.6" />
    </>
  ),
  reply: (
    <>
      <path d="M9.5 6.2 4 11.6l5.5 5.4M4.4 11.6h9.3c3.8 0 6.3 2.4 6.3 6.6" />
    </>
  ),
  mute: (
    <>
      <path d="M6.3 16.5V11c0-1.3.4-2.4 1.1-3.4M10 5.7a5.7 5.7 0 0 1 7.7 5.3v3M4.7 18.2h12.5M10.2 20.7h3.6M4 4l16 16" />
    </>
  ),
  offline: (
    <>
      <path d="M4.5 4.5l15 15M8.6 8.3a5 5 0 0 0-1 1.9A4.1 4.1 0 0 0 8 18.3h9.6M11 6.5a5.2 5.2 0 0 1 5.9 4.3 3.8 3.8 0 0 1 2.7 6" />
    </>
  ),
  quote: (
    <>
      <path d="M10 7.5c-3 .6-4.7 2.7-4.7 5.7v3.3h4.4v-4.4H7.2M18.7 7.5c-3 .6-4.7 2.7-4.7 5.7v3.3h4.4v-4.4h-2.5" />
    </>
  ),
  flag: (
    <>
      <path d="M6 20.5v-16M6 5.2c4-2.4 7.5 2 12.5-.2v8.6c-5 2.2-8.5-2.2-12.5.2" />
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
  mail: (
    <>
      <rect x="3.5" y="5.5" width="17" height="13" rx="2" />
      <path d="M4.2 7l7.8 6 7.8-6" />
    </>
  ),
  pause: (
    <>
      <path d="M9 5.5v13M15 5.5v13" />
    </>
  ),
  play: (
    <>
      <path d="M8 5.2 18.6 12 8 18.8Z" />
    </>
  ),
  people: (
    <>
      <circle cx="8.8" cy="8.8" r="3.3" />
      <path d="M2.8 19c.2-3.5 2.6-5.4 6-5.4s5.8 1.9 6 5.4M14.5 5.7a3.3 3.3 0 0 1 0 6.2M17.2 14c2.4.6 3.8 2.4 4 5" />
    </>
  ),
  shield: (
    <>
      <path d="M12 3.5l7.5 2.7v5.3c0 4.5-3 7.4-7.5 9-4.5-1.6-7.5-4.5-7.5-9V6.2Z" />
      <path d="M8.5 12l2.6 2.6 4.6-4.9" />
    </>
  ),
  glass: (
    <>
      <rect x="4.5" y="3.8" width="15" height="16.4" rx="2" />
      <path d="M9.5 3.8v16.4M14.5 3.8v16.4" />
    </>
  ),
  block: (
    <>
      <circle cx="12" cy="12" r="8.3" />
      <path d="M6.2 6.2l11.6 11.6" />
    </>
  ),
  like: (
    <>
      <path
        fill="currentColor"
        stroke="none"
        fillRule="evenodd"
        d="M2.5 20.5V10a6 6 0 0 1 12 0v10.5ZM9.5 20.5V10a6 6 0 0 1 12 0v10.5Z"
      />
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
  phone: (
    <>
      <rect x="7" y="3.5" width="10" height="17" rx="2.2" />
      <path d="M11 17.8h2" />
    </>
  ),
  never: (
    <>
      <circle cx="10" cy="8.6" r="3.6" />
      <path d="M3.5 19.8c.3-3.9 2.9-6 6.5-6 .9 0 1.7.1 2.5.4" />
      <circle cx="17.3" cy="17" r="3.9" />
      <path d="m14.6 14.3 5.4 5.4" />
    </>
  ),
  download: <path d="M12 4v10.5M7.5 10.3l4.5 4.4 4.5-4.4M4.5 19.5h15" />,
  card: (
    <>
      <rect x="3.5" y="5.5" width="17" height="13" rx="2" />
      <path d="M3.5 9.5h17M7 14.5h4" />
    </>
  ),
  help: (
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M9.6 9.7a2.5 2.5 0 1 1 3.6 2.3c-.8.4-1.2.9-1.2 1.8M12 16.7v.1" />
    </>
  ),
  book: (
    <path d="M12 6.2C9.8 4.7 7 4.2 3.8 4.5v13.8c3.2-.3 6 .2 8.2 1.7 2.2-1.5 5-2 8.2-1.7V4.5C17 4.2 14.2 4.7 12 6.2ZM12 6.2V20" />
  ),
} satisfies Record<string, ReactElement>;

export type IconName = keyof typeof shapes;

export const iconNames = Object.keys(shapes) as IconName[];

/** Hidden from screen readers: text carries the meaning. */
export function Icon({ name, small = false }: { name: IconName; small?: boolean }) {
  return (
    <svg className={small ? "icon icon--sm" : "icon"} viewBox="0 0 24 24" aria-hidden="true">
      {shapes[name]}
    </svg>
  );
}
