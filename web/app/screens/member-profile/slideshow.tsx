import { useEffect, useState, type CSSProperties } from "react";
import { useTranslations } from "use-intl";
import { isolated } from "../../lib/texts/isolated.ts";
import { IconButton } from "../../ui/button.tsx";
import { Overlay } from "../../ui/dialog.tsx";
import { Picture } from "../../ui/picture.tsx";
import { classNames } from "../../ui/class-names.ts";
import pictureStageStyles from "../../ui/styles/picture-stage.module.css";

// Autoplay shows the next picture after 100 ticks.
const IMAGES_MAX = 3;
const TICK_MS = 30;
const ADVANCE_AT = 100;

interface SlideshowProps {
  images: readonly string[];
  /** The place of the picture to begin with. */
  first: number;
  /** The name of the member. */
  name: string;
  onClose: () => void;
}

export function Slideshow({ images, first, name, onClose }: SlideshowProps) {
  const t = useTranslations("slideshow");
  const shown = images.slice(0, IMAGES_MAX);
  const { position, progress, isPlaying, step, toggle } = useAutoplay(
    shown.length,
    Math.min(first, shown.length - 1),
  );

  return (
    <Overlay
      isOpen
      onClose={onClose}
      className={pictureStageStyles.overlay}
      label={t("label", { name: isolated(name) })}
    >
      <div className={pictureStageStyles.top}>
        <span className="num" role="status">
          {position + 1} / {shown.length}
        </span>
        <IconButton icon="close" label={t("close")} onClick={onClose} />
      </div>
      <button
        type="button"
        className={classNames(pictureStageStyles.stage, pictureStageStyles.stageStrip)}
        aria-pressed={isPlaying}
        aria-label={isPlaying ? t("pause") : t("play")}
        onClick={toggle}
      >
        <span className={pictureStageStyles.strip} style={{ "--at": position } as CSSProperties}>
          {shown.map((image, at) => (
            <span key={image} aria-hidden={at !== position}>
              <Picture src={image} alt={name} sizes="min(100vw, 62vh)" />
            </span>
          ))}
        </span>
      </button>
      <div>
        <progress
          className={pictureStageStyles.progress}
          max={ADVANCE_AT}
          value={progress}
          aria-label={t("progress")}
        />
        <div className={pictureStageStyles.bottom}>
          <IconButton icon="back" label={t("previous")} onClick={() => step(-1)} />
          <IconButton
            icon={isPlaying ? "pause" : "play"}
            label={isPlaying ? t("pause") : t("play")}
            onClick={toggle}
          />
          <IconButton icon="next" label={t("next")} onClick={() => step(1)} />
        </div>
      </div>
    </Overlay>
  );
}

/** Several pictures start to play, unless the member prefers reduced motion. */
function useAutoplay(count: number, first: number) {
  const [place, setPlace] = useState({ position: first, progress: 0 });
  const [isPlaying, setPlaying] = useState(
    () => count > 1 && !matchMedia("(prefers-reduced-motion: reduce)").matches,
  );

  useEffect(() => {
    if (!isPlaying) return undefined;
    const timer = setInterval(() => setPlace((at) => tick(at, count)), TICK_MS);
    return () => clearInterval(timer);
  }, [isPlaying, count]);

  return {
    ...place,
    isPlaying,
    toggle: () => setPlaying(!isPlaying),
    step: (by: number) =>
      setPlace(({ position }) => ({ position: (position + by + count) % count, progress: 0 })),
  };
}

function tick({ position, progress }: { position: number; progress: number }, count: number) {
  const isOver = progress + 1 >= ADVANCE_AT;
  return isOver ? { position: (position + 1) % count, progress: 0 } : { position, progress: progress + 1 };
}
