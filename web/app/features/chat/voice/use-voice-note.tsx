import { useEffect, useRef, useState, type ReactNode } from "react";
import { onDemand } from "../../../ui/on-demand/on-demand.tsx";
import type { VoiceFacts } from "../conversation/transport.ts";
import { MicrophoneButton } from "./microphone-button.tsx";
import { RecordedNote } from "./recorded-note.tsx";
import { RecordingLine } from "./recording-line.tsx";
import { useVoiceDraft } from "./use-voice-draft.ts";
import styles from "./voice.module.css";

const MicrophoneHelp = onDemand(async () => (await import("./microphone-help.tsx")).MicrophoneHelp);

interface VoiceNoteOptions {
  /** There is no other content that a press could mean. */
  canRecord: boolean;
  onSend: (file: File, voice: VoiceFacts) => void;
}

interface VoiceNoteParts {
  /** In the place of the message field: the present recording. */
  panel: ReactNode;
  button: ReactNode;
  sheet: ReactNode;
}

/** The parts of a composer that records a voice note. */
export function useVoiceNote({ canRecord, onSend }: VoiceNoteOptions): VoiceNoteParts {
  const [isHelpOpen, setHelpOpen] = useState(false);
  const { draft, state } = useVoiceDraft(() => setHelpOpen(true));
  const microphone = useRef<HTMLSpanElement>(null);
  const isReady = state.phase === "ready";
  const hadFocus = useRef(false);
  useEffect(() => {
    // Of the buttons that are gone.
    if (hadFocus.current && !isReady) microphone.current?.querySelector("button")?.focus();
    hadFocus.current = isReady;
  }, [isReady]);
  function send(words: string | null) {
    if (state.phase !== "ready") return;
    const { file, seconds, peaks } = state.recording;
    draft.discard();
    onSend(file, { seconds, peaks, text: words });
  }
  const isOn = state.phase !== "none";
  return {
    panel: isReady ? (
      <RecordedNote recording={state.recording} onSend={send} onDiscard={draft.discard} />
    ) : (
      isOn && <RecordingLine state={state} onDiscard={draft.discard} />
    ),
    button: !isReady && (isOn || canRecord) && (
      <span ref={microphone} className={styles.microphone}>
        <MicrophoneButton draft={draft} state={state} />
      </span>
    ),
    sheet: <MicrophoneHelp isOpen={isHelpOpen} onClose={() => setHelpOpen(false)} />,
  };
}
