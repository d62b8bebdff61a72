import { useEffect, useState, type ReactNode } from "react";
import type { IconPreview } from "@alcove/contract/users";
import { banner } from "../../lib/page/banner.ts";
import { useObjectUrl } from "../../lib/forms/use-object-url.ts";
import { preloadDialogs } from "../../ui/dialog.tsx";
import { CropOverlay } from "./crop-overlay.tsx";
import { type Box, findFace } from "./find-face.ts";

type Preview = (copy: File, signal: AbortSignal) => Promise<IconPreview>;

/** The screen renders `cropOverlay`, which is empty until `choosePicture` is called. `preview` finds the face to begin with. */
export function usePictureCrop(
  onCrop: (icon: File) => void,
  preview: Preview,
): {
  choosePicture: (picture: File) => void;
  cropOverlay: ReactNode;
} {
  const [picture, setPicture] = useState<File | null>(null);
  const url = useObjectUrl(picture);
  const face = useFace(picture, preview);
  useEffect(() => {
    const preload = () => void preloadDialogs().catch(() => undefined);
    preload();
    addEventListener("online", preload);
    return () => removeEventListener("online", preload);
  }, []);
  const close = () => setPicture(null);
  const cropOverlay = url && (
    <CropOverlay
      picture={url}
      face={face}
      onCancel={close}
      onCrop={(icon) => {
        onCrop(icon);
        close();
      }}
      onUnreadable={() => {
        close();
        banner.alert("fields.image_unreadable");
      }}
    />
  );
  return { choosePicture: setPicture, cropOverlay };
}

function useFace(picture: File | null, preview: Preview): Box | null {
  const [found, setFound] = useState<{ picture: File; face: Box | null } | null>(null);
  useEffect(() => {
    if (!picture) return undefined;
    const running = new AbortController();
    const find = async () => {
      const face = await findFace(picture, (copy) => preview(copy, running.signal));
      if (!running.signal.aborted) setFound({ picture, face });
    };
    void find();
    return () => running.abort();
    // `preview` is a new function at each render; only the picture matters.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [picture]);
  return found !== null && found.picture === picture ? found.face : null;
}
