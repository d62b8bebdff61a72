import { useEffect, useState } from "react";
import type { IconPreview } from "@alcove/contract/users";

/** How far the preview of a chosen picture is. */
export type PreviewState =
  | { readonly kind: "none" }
  | { readonly kind: "loading" }
  | ({ readonly kind: "shown" } & IconPreview)
  | { readonly kind: "failed"; readonly retry: () => void };

const NONE: PreviewState = { kind: "none" };
const LOADING: PreviewState = { kind: "loading" };

/** Asks the server what processing makes of a picture, once for each; null asks nothing. */
export function useIconPreview(icon: File | null, ask: (icon: File) => Promise<IconPreview>): PreviewState {
  const [tries, setTries] = useState(0);
  const [found, setFound] = useState<{ icon: File; state: PreviewState } | null>(null);
  useEffect(() => {
    if (!icon) return undefined;
    let isWanted = true;
    const show = (state: PreviewState) => isWanted && setFound({ icon, state });
    const retry = () => {
      show(LOADING);
      setTries((before) => before + 1);
    };
    ask(icon).then(
      (preview) => show({ kind: "shown", ...preview }),
      () => show({ kind: "failed", retry }),
    );
    return () => {
      isWanted = false;
    };
    // `ask` is a new function at each drawing of its screen; what it asks for is the picture.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [icon, tries]);
  if (!icon) return NONE;
  return found?.icon === icon ? found.state : LOADING;
}
