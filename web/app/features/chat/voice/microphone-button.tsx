import { useTranslations } from "use-intl";
import { IconButton } from "../../../ui/button.tsx";
import type { VoiceDraft, VoiceDraftState } from "./voice-draft.ts";

/** Held, it records until it is released; pressed shortly or by the keyboard, until it is pressed again. */
export function MicrophoneButton({ draft, state }: { draft: VoiceDraft; state: VoiceDraftState }) {
  const t = useTranslations("voice");
  const isOn = state.phase !== "none";
  return (
    <IconButton
      icon={isOn ? "stop" : "microphone"}
      {...(isOn && { look: "solid" as const })}
      label={t(isOn ? "stop" : "record")}
      aria-busy={state.phase === "starting" || undefined}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        draft.handleDown();
      }}
      onPointerUp={draft.handleUp}
      onPointerCancel={draft.handleCancel}
      onContextMenu={(event) => event.preventDefault()}
      onClick={draft.handleClick}
    />
  );
}
