import { useEffect, useState, type ReactNode } from "react";
import { banner } from "../../lib/page/banner.ts";
import { useObjectUrl } from "../../lib/forms/use-object-url.ts";
import { preloadDialogs } from "../../ui/dialog.tsx";
import { CropOverlay } from "./crop-overlay.tsx";

/** The screen renders `cropOverlay`, which is empty until `choosePicture` is called. */
export function usePictureCrop(onCrop: (icon: File) => void): {
  choosePicture: (picture: File) => void;
  cropOverlay: ReactNode;
} {
  const [picture, setPicture] = useState<File | null>(null);
  const url = useObjectUrl(picture);
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
