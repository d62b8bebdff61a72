import { useTranslations } from "use-intl";
import { IconButton } from "../../ui/button.tsx";
import { Overlay } from "../../ui/dialog.tsx";
import { Picture } from "../../ui/picture.tsx";
import { classNames } from "../../ui/class-names.ts";
import pictureStageStyles from "../../ui/styles/picture-stage.module.css";

export function ImageViewer({ src, onClose }: { src: string; onClose: () => void }) {
  const t = useTranslations("chat");
  return (
    <Overlay isOpen onClose={onClose} className={pictureStageStyles.overlay} label={t("image")}>
      <div className={classNames(pictureStageStyles.top, pictureStageStyles.topEnd)}>
        <IconButton icon="close" label={t("close")} onClick={onClose} />
      </div>
      <div className={classNames(pictureStageStyles.stage, pictureStageStyles.stageWhole)}>
        <Picture src={src} alt={t("image")} sizes="100vw" />
      </div>
    </Overlay>
  );
}
