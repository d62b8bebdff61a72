import { useEffect, useState, useSyncExternalStore } from "react";
import { device } from "../../../device/browser.ts";
import { banner } from "../../../lib/page/banner.ts";
import { privacyScreen } from "../../../lib/page/privacy-screen.ts";
import { LOAD_FAILED_EVENT } from "../../../ui/on-demand/on-demand.tsx";
import { player } from "./player.ts";
import type { RecordingError } from "./recorder.ts";
import { VoiceDraft, type VoiceDraftState } from "./voice-draft.ts";

/** The microphone goes off when the page is covered or hidden, and when the member leaves the chat. */
export function useVoiceDraft(onDenied: () => void): { draft: VoiceDraft; state: VoiceDraftState } {
  const [draft] = useState(
    () =>
      new VoiceDraft({
        async start() {
          player.stop(); // it would be recorded too
          return (await import("./recorder.ts")).Recorder.start();
        },
        showError: (error) => void showError(error, onDenied),
        now: () => performance.now(),
        setTimer(act, ms) {
          const timer = setTimeout(act, ms);
          return () => clearTimeout(timer);
        },
      }),
  );
  useEffect(() => {
    const finishIfHidden = () => {
      if (document.visibilityState === "hidden" || privacyScreen.isShown()) void draft.finish();
    };
    const unsubscribe = privacyScreen.subscribe(finishIfHidden);
    document.addEventListener("visibilitychange", finishIfHidden);
    return () => {
      unsubscribe();
      document.removeEventListener("visibilitychange", finishIfHidden);
      draft.discard();
    };
  }, [draft]);
  return { draft, state: useSyncExternalStore(draft.subscribe, draft.getState, draft.getState) };
}

async function showError(error: unknown, onDenied: () => void): Promise<void> {
  const { reason } = error as Partial<RecordingError>;
  if (reason === undefined) dispatchEvent(new Event(LOAD_FAILED_EVENT));
  else if (reason !== "denied") banner.alert(`voice.${reason}`);
  else if (device.isNative() || (await device.microphonePermission()) === "denied") onDenied();
  else banner.alert("voice.off"); // the member closed the question
}
