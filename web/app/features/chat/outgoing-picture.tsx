import { useTranslations } from "use-intl";
import { IconButton } from "../../ui/button.tsx";
import type { ChatItem } from "./conversation/message-history.ts";
import { useShape } from "./use-shape.ts";
import { classNames } from "../../ui/class-names.ts";
import bubbleStyles from "./bubble.module.css";
import styles from "./outgoing-picture.module.css";

interface OutgoingProps {
  item: ChatItem;
  onCancel: (key: string) => void;
}

export function OutgoingPicture({ item, onCancel }: OutgoingProps) {
  const t = useTranslations("chat");
  const { style, onLoad } = useShape();
  return (
    <div className={classNames(bubbleStyles.img, styles.upload)} style={style}>
      <img src={item.imageUrl!} alt={t("image")} onLoad={onLoad} />
      <UploadBar item={item} onCancel={onCancel} />
    </div>
  );
}

/** The progress of a picture or a voice note, which can be cancelled until the server has all of it. */
export function UploadBar({ item: { key, voice, delivery, progress }, onCancel }: OutgoingProps) {
  const t = useTranslations("chat");
  const tVoice = useTranslations("voice");
  if (delivery !== "sending" && delivery !== "waiting") return null;
  return (
    <div className={classNames(styles.bar, voice !== null && styles.belowNote)}>
      <progress aria-label={voice ? tVoice("sending") : t("sendingImage")} value={progress ?? 0} />
      {progress !== 1 && (
        <IconButton
          icon="close"
          label={voice ? tVoice("cancelSending") : t("cancelImage")}
          onClick={() => onCancel(key)}
        />
      )}
    </div>
  );
}
