import { useEffect, useState } from "react";
import { useTranslations } from "use-intl";
import { IconButton } from "../../ui/button.tsx";
import { Overlay } from "../../ui/dialog.tsx";

// Specification, section 9: at most 3 images, autoplay ticks of 30 ms, advance at 100.
const IMAGES_MAX = 3;
const TICK_MS = 30;
const ADVANCE_AT = 100;

interface SlideshowProps {
  images: readonly string[];
  /** Whose pictures they are. */
  name: string;
  onClose: () => void;
}

/** A member's pictures at full size: counter, previous, next, progress; a tap on the picture toggles autoplay. */
export function Slideshow({ images, name, onClose }: SlideshowProps) {
  const t = useTranslations("slideshow");
  const shown = images.slice(0, IMAGES_MAX);
  const [position, setPosition] = useState(0);
  const [isPlaying, setPlaying] = useState(false);
  const [progress, setProgress] = useState(0);
  const step = (by: number) => {
    setProgress(0);
    setPosition((at) => (at + by + shown.length) % shown.length);
  };

  useEffect(() => {
    if (!isPlaying) return undefined;
    const timer = setInterval(() => setProgress((at) => at + 1), TICK_MS);
    return () => clearInterval(timer);
  }, [isPlaying]);
  if (progress >= ADVANCE_AT) step(1);

  return (
    <Overlay isOpen onClose={onClose} className="slideshow" label={t("label", { name })}>
      <div className="slideshow__top">
        <span className="num" role="status">
          {position + 1} / {shown.length}
        </span>
        <IconButton icon="close" label={t("close")} onClick={onClose} />
      </div>
      <button
        type="button"
        className="slideshow__stage"
        aria-pressed={isPlaying}
        aria-label={isPlaying ? t("pause") : t("play")}
        onClick={() => setPlaying(!isPlaying)}
      >
        <img key={position} src={shown[position]} alt={name} />
      </button>
      <div>
        <progress
          className="slideshow__progress"
          max={ADVANCE_AT}
          value={progress}
          aria-label={t("progress")}
        />
        <div className="slideshow__bottom">
          {shown.length > 1 && <IconButton icon="back" label={t("previous")} onClick={() => step(-1)} />}
          <IconButton
            icon={isPlaying ? "pause" : "play"}
            label={isPlaying ? t("pause") : t("play")}
            onClick={() => setPlaying(!isPlaying)}
          />
          {shown.length > 1 && <IconButton icon="next" label={t("next")} onClick={() => step(1)} />}
        </div>
      </div>
    </Overlay>
  );
}
