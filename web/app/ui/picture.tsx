import type { ComponentProps } from "react";

/** In pixels, as the contract names them in `limits.ts`. */
export const STORED_WIDTHS = { icon: [160, 480, 720], message: [640, 1_600] } as const;

const STORED = /\/media\/([icm])\/[\w-]+$/;

/** The widths that the server stores of a picture; null for drawn, chosen and previewed ones. */
export function srcSetOf(src: string): string | null {
  const kind = STORED.exec(src)?.[1];
  if (!kind) return null;
  const widths = kind === "m" ? STORED_WIDTHS.message : STORED_WIDTHS.icon;
  return widths.map((width) => `${src}?w=${width} ${width}w`).join(", ");
}

/** For pictures of one size, where no `srcset` is possible. */
export function pictureAt(width: number, src: string): string {
  return STORED.test(src) ? `${src}?w=${width}` : src;
}

/** On a card and on a profile, see `.candidate .portrait`. */
export const CARD_SIZES = "(min-width: 60rem) 30rem, min(25rem, 100vw - 3.5rem)";

interface PictureProps extends Omit<ComponentProps<"img">, "src" | "srcSet" | "alt"> {
  src: string;
  alt: string;
  /** The width on screen. */
  sizes: string;
}

/** A picture of a member or a message, in the width that the screen needs. */
export function Picture({ src, alt, sizes, ...image }: PictureProps) {
  const srcSet = srcSetOf(src);
  // `sizes` comes first: some browsers choose when they see `srcset`.
  return <img {...(srcSet && { sizes, srcSet })} src={src} alt={alt} {...image} />;
}
