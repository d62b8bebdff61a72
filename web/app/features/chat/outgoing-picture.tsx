import { useTranslations } from "use-intl";
import { IconButton } from "../../ui/button.tsx";
import type { ChatItem } from "./conversation/message-history.ts";
import { useShape } from "./use-shape.ts";
import { classNames } from "../../ui/class-names.ts";
import styles from "./bubble.module.css";

/** A picture with the progress of its upload, which can be cancelled until the server has all of it. */
export function OutgoingPicture({ item, onCancel }: { item: ChatItem; onCancel: (key: string) => void }) {
  const t = useTranslations("chat");
  const { style, onLoad } = useShape();
  const { key, imageUrl, delivery, progress } = item;
  const isUnderWay = delivery === "sending" || delivery === "waiting";
  return (
    <div className={classNames(styles.img, styles.upload)} style={style}>
      <img src={imageUrl!} alt={t("image")} onLoad={onLoad} />
      {isUnderWay && (
        <div className={styles.bar}>
          <progress aria-label={t("sendingImage")} value={progress ?? 0} />
          {progress !== 1 && (
            <IconButton icon="close" label={t("cancelImage")} onClick={() => onCancel(key)} />
          )}
        </div>
      )}
    </div>
  );
}
