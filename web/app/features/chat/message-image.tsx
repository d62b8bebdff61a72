import { useState } from "react";
import { useTranslations } from "use-intl";
import { classNames } from "../../ui/class-names.ts";
import { Icon } from "../../ui/icon.tsx";
import { Picture } from "../../ui/picture.tsx";
import { useShape } from "./use-shape.ts";
import bubbleStyles from "./bubble.module.css";
import styles from "./message-image.module.css";

interface MessageImageProps {
  src: string;
  isVeiled: boolean;
  onView: (image: string) => void;
}

/** A friend's pictures are veiled until they are tapped, on each visit. */
export function MessageImage({ src, isVeiled, onView }: MessageImageProps) {
  const t = useTranslations("chat");
  const [isHidden, setHidden] = useState(isVeiled);
  const { style, onLoad } = useShape();
  if (isHidden) {
    return (
      <button
        type="button"
        className={classNames(bubbleStyles.img, styles.veil)}
        style={style}
        onClick={() => setHidden(false)}
      >
        <Picture src={src} alt="" sizes="14rem" onLoad={onLoad} />
        <span className={styles.label}>
          <Icon name="eye" small />
          {t("tapToView")}
        </span>
      </button>
    );
  }
  return (
    <button
      type="button"
      className={bubbleStyles.img}
      style={style}
      aria-label={t("enlarge")}
      onClick={() => onView(src)}
    >
      <Picture src={src} alt={t("image")} sizes="14rem" onLoad={onLoad} />
    </button>
  );
}
