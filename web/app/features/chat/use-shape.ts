import { useState, type CSSProperties, type SyntheticEvent } from "react";

/** Longer pictures are cut. */
const RATIOS = { min: 0.45, max: 2.2 };

/** Gives the frame of a picture its shape once it has loaded. */
export function useShape(): {
  style: CSSProperties | undefined;
  onLoad: (event: SyntheticEvent<HTMLImageElement>) => void;
} {
  const [ratio, setRatio] = useState<number | null>(null);
  return {
    style: ratio === null ? undefined : ({ "--ratio": ratio.toFixed(3) } as CSSProperties),
    onLoad: ({ currentTarget: { naturalWidth, naturalHeight } }) => {
      if (naturalHeight > 0)
        setRatio(Math.max(RATIOS.min, Math.min(RATIOS.max, naturalWidth / naturalHeight)));
    },
  };
}
