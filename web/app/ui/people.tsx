import { Button } from "./button.tsx";

/** Decorative: the name stands beside it. */
export function Avatar({ src, size = "md" }: { src: string; size?: "sm" | "md" | "lg" }) {
  return (
    <span className={size === "md" ? "avatar" : `avatar avatar--${size}`}>
      <img src={src} alt="" />
    </span>
  );
}

/** `action` is the result of `useAction`. */
export function MemberRow({
  party: { user_id: userId, username, icon },
  label,
  action,
}: {
  party: { user_id: string; username: string; icon: string };
  label: string;
  action: { isBusy: boolean; start: () => void };
}) {
  return (
    <li className="list-row">
      <Avatar src={icon} />
      <span id={`row-${userId}`}>
        {username}
        <span className="hint">{userId}</span>
      </span>
      <Button
        kind="quiet"
        small
        aria-describedby={`row-${userId}`}
        busy={action.isBusy}
        onClick={action.start}
      >
        {label}
      </Button>
    </li>
  );
}
