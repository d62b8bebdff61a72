import { useEffect, useEffectEvent, useRef, useState, type RefObject } from "react";
import Cropper, {
  type Area,
  getInitialCropFromCroppedAreaPixels,
  type MediaSize,
  type Size,
} from "react-easy-crop";
import "react-easy-crop/react-easy-crop.css";
import { useTranslations } from "use-intl";
import { useAction } from "../../lib/forms/use-action.ts";
import { hasKeys } from "../../lib/page/has-keys.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Overlay } from "../../ui/dialog.tsx";
import { cropToPng } from "./crop.ts";
import { type Box, squareAround } from "./find-face.ts";
import styles from "./crop.module.css";

// Zooming out stays above the lower bound.
const ZOOM_STEP = 0.2;
const ZOOM_BELOW_MIN = 0.4;
const ZOOM_MIN = ZOOM_BELOW_MIN + ZOOM_STEP;
const ZOOM_MAX = 4;
/** Pixels for each arrow key. */
const KEY_STEP = 8;

type Fit = "contain" | "horizontal-cover" | "vertical-cover";

/** A picture smaller than the stage is enlarged until it touches two sides, because its frame is as large as the picture. */
function fitOf({ naturalWidth, naturalHeight }: MediaSize, { clientWidth, clientHeight }: HTMLElement): Fit {
  if (naturalWidth >= clientWidth || naturalHeight >= clientHeight) return "contain";
  const isWider = naturalWidth * clientHeight > naturalHeight * clientWidth;
  return isWider ? "horizontal-cover" : "vertical-cover";
}

interface CropOverlayProps {
  /** The URL of the chosen picture. */
  picture: string;
  /** In the picture's pixels; null without one, or until it is found. */
  face: Box | null;
  onCancel: () => void;
  onCrop: (icon: File) => void;
  onUnreadable: () => void;
}

export function CropOverlay({ picture, face, onCancel, onCrop, onUnreadable }: CropOverlayProps) {
  const t = useTranslations("crop");
  const hint = t(hasKeys() ? "hintKeys" : "hint");
  const stage = useRef<HTMLDivElement>(null);
  const { position, zoom, setPosition, setZoom, setMedia, setCropSize } = usePlace(face, stage);
  const [fit, setFit] = useState<Fit>("contain");
  const [area, setArea] = useState<Area | null>(null);

  const zoomBy = (step: number) => {
    const next = Math.round((zoom + step) * 10) / 10;
    if (next > ZOOM_BELOW_MIN && next <= ZOOM_MAX) setZoom(next);
  };
  const confirm = useAction(async () => {
    if (area) onCrop(await cropToPng(picture, area));
  }, onUnreadable);

  return (
    <Overlay isOpen onClose={onCancel} className={styles.crop} label={t("title")}>
      <div className={styles.head}>
        <h2>{t("title")}</h2>
        <p>{hint}</p>
      </div>
      <div className={styles.stage} ref={stage}>
        <Cropper
          image={picture}
          crop={position}
          zoom={zoom}
          minZoom={ZOOM_MIN}
          maxZoom={ZOOM_MAX}
          zoomSpeed={ZOOM_STEP}
          aspect={1}
          restrictPosition={false}
          keyboardStep={KEY_STEP}
          disableAutomaticStylesInjection
          objectFit={fit}
          onMediaLoaded={(media) => {
            setFit(fitOf(media, stage.current!));
            setMedia(media);
          }}
          onCropSizeChange={setCropSize}
          showGrid={false}
          classes={{ cropAreaClassName: styles.area }}
          onCropChange={setPosition}
          onZoomChange={setZoom}
          onCropComplete={(_, pixels) => setArea(pixels)}
          mediaProps={{ onError: onUnreadable, alt: "" }}
          cropperProps={{ role: "group", "aria-label": hint }}
        />
      </div>
      <div className={styles.tools}>
        <div className="row">
          <IconButton
            icon="minus"
            label={t("zoomOut")}
            disabled={zoom - ZOOM_STEP <= ZOOM_BELOW_MIN + 0.01}
            onClick={() => zoomBy(-ZOOM_STEP)}
          />
          <output className="num">{Math.round(zoom * 100)}%</output>
          <IconButton
            icon="plus"
            label={t("zoomIn")}
            disabled={zoom >= ZOOM_MAX}
            onClick={() => zoomBy(ZOOM_STEP)}
          />
        </div>
        <div className="row">
          <Button kind="quiet" onClick={onCancel}>
            {t("cancel")}
          </Button>
          <Button busy={confirm.isBusy} disabled={!area} onClick={confirm.start}>
            {t("confirm")}
          </Button>
        </div>
      </div>
    </Overlay>
  );
}

/** Place and zoom of the crop. It begins with the face, unless the member has moved before it is found. */
function usePlace(face: Box | null, stage: RefObject<HTMLElement | null>) {
  const [position, setPosition] = useState({ x: 0, y: 0 });
  const [zoom, setZoom] = useState(1);
  const [media, setMedia] = useState<MediaSize | null>(null);
  const [cropSize, setCropSize] = useState<Size | null>(null);
  const isMoved = useRef(false);
  useEffect(() => {
    const controller = new AbortController();
    const handleMove = () => {
      isMoved.current = true;
    };
    for (const event of ["pointerdown", "keydown", "wheel", "touchstart"])
      stage.current?.parentElement?.addEventListener(event, handleMove, {
        signal: controller.signal,
        passive: true,
      });
    return () => controller.abort();
  }, [stage]);
  const beginWith = useEffectEvent((found: Box, shown: MediaSize, frame: Size) => {
    if (isMoved.current) return;
    const square = squareAround(found, { width: shown.naturalWidth, height: shown.naturalHeight });
    const begin = getInitialCropFromCroppedAreaPixels(square, shown, 0, frame, ZOOM_MIN, ZOOM_MAX);
    setPosition(begin.crop);
    setZoom(begin.zoom);
  });
  useEffect(() => {
    if (face && media && cropSize) beginWith(face, media, cropSize);
  }, [face, media, cropSize]);
  return { position, zoom, setPosition, setZoom, setMedia, setCropSize };
}
