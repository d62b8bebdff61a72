import { useEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { VOICE_TEXT_MAX } from "@alcove/contract/limits";
import { isVisible, lengthOf, tidy } from "@alcove/contract/text-rules";
import { banner } from "../../../lib/page/banner.ts";
import { IconButton } from "../../../ui/button.tsx";
import { classNames } from "../../../ui/class-names.ts";
import fieldStyles from "../../../ui/forms/field.module.css";
import type { Recording } from "./recorder.ts";
import { VoiceNote } from "./voice-note.tsx";
import styles from "./voice.module.css";

interface RecordedNoteProps {
  recording: Recording;
  /** `words` are the same in writing, for a friend who cannot listen. */
  onSend: (words: string | null) => void;
  onDiscard: () => void;
}

const NOTE_KEY = "recorded";

/** To listen to before it is sent. */
export function RecordedNote({ recording, onSend, onDiscard }: RecordedNoteProps) {
  const t = useTranslations("voice");
  const [text, setText] = useState("");
  const note = useRef<HTMLDivElement>(null);
  // The pressed button is gone.
  useEffect(() => note.current?.querySelector("button")?.focus(), []);
  function send() {
    const words = tidy(text);
    if (lengthOf(words) > VOICE_TEXT_MAX) banner.alert("fields.too_long");
    else onSend(isVisible(words) ? words : null);
  }
  return (
    <div className={styles.recorded}>
      <span className="vh" role="status">
        {t("ready")}
      </span>
      <div className={styles.line} ref={note}>
        <VoiceNote
          noteKey={NOTE_KEY}
          source={recording.file}
          seconds={recording.seconds}
          peaks={recording.peaks}
        />
        <IconButton icon="trash" label={t("discard")} onClick={onDiscard} />
      </div>
      <div className={styles.line}>
        <textarea
          className={classNames(fieldStyles.input, styles.words)}
          dir="auto"
          rows={1}
          value={text}
          aria-label={t("inWords")}
          placeholder={t("inWords")}
          onChange={({ currentTarget: { value } }) => setText(value)}
        />
        <IconButton icon="send" look="solid" label={t("send")} onClick={send} />
      </div>
    </div>
  );
}
