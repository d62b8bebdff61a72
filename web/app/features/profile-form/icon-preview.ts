import { useEffect, useState } from "react";
import type { IconPreview } from "@alcove/contract/users";

export type PreviewState =
  | { readonly kind: "none" }
  | { readonly kind: "loading" }
  | ({ readonly kind: "shown" } & IconPreview)
  | { readonly kind: "failed"; readonly retry: () => void };

const NONE: PreviewState = { kind: "none" };
const LOADING: PreviewState = { kind: "loading" };

/** Requests the processed picture once for each icon. */
export function useIconPreview(
  icon: File | null,
  request: (icon: File, signal: AbortSignal) => Promise<IconPreview>,
): PreviewState {
  const [attempt, setAttempt] = useState(0);
  const [result, setResult] = useState<{ icon: File; state: PreviewState } | null>(null);
  useEffect(() => {
    if (!icon) return undefined;
    const running = new AbortController();
    const show = (state: PreviewState) => !running.signal.aborted && setResult({ icon, state });
    const retry = () => {
      show(LOADING);
      setAttempt((before) => before + 1);
    };
    request(icon, running.signal).then(
      (preview) => show({ kind: "shown", ...preview }),
      () => show({ kind: "failed", retry }),
    );
    return () => running.abort();
    // `request` is a new function at each render; only the picture matters.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [icon, attempt]);
  if (!icon) return NONE;
  return result?.icon === icon ? result.state : LOADING;
}
