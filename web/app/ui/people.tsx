/** A round picture in lists. Decorative: the name stands beside it. */
export function Avatar({ src, size = "md" }: { src: string; size?: "sm" | "md" | "lg" }) {
  return (
    <span className={size === "md" ? "avatar" : `avatar avatar--${size}`}>
      <img src={src} alt="" />
    </span>
  );
}
