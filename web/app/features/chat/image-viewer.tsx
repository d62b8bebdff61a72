import { useTranslations } from "use-intl";
import { IconButton } from "../../ui/button.tsx";
import { Overlay } from "../../ui/dialog.tsx";
import { Picture } from "../../ui/picture.tsx";

export function ImageViewer({ src, onClose }: { src: string; onClose: () => void }) {
  const t = useTranslations("chat");
  return (
    <Overlay isOpen onClose={onClose} className="slideshow" label={t("image")}>
      <div className="slideshow__top slideshow__top--end">
        <IconButton icon="close" label={t("close")} onClick={onClose} />
      </div>
      <div className="slideshow__stage slideshow__stage--whole">
        <Picture src={src} alt={t("image")} sizes="100vw" />
      </div>
    </Overlay>
  );
}
