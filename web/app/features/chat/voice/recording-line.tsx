import { useEffect, useState } from "react";
import { useTranslations } from "use-intl";
import { VOICE } from "@alcove/contract/limits";
import { PEAK_MAX } from "@alcove/contract/voice-note";
import { IconButton } from "../../../ui/button.tsx";
import type { VoiceDraftState } from "./voice-draft.ts";
import { clockText } from "./clock-text.ts";
import { Waveform } from "./waveform.tsx";
import styles from "./voice.module.css";

const TICK_MS = 100;
const BARS = 40;
/** The remaining time is shown from here on. */
const SHOWN_LEFT = 10;
const SILENT: readonly number[] = Array.from({ length: BARS }, () => 0);

/** In the place of the message field, while the microphone is on. */
export function RecordingLine({ state, onDiscard }: { state: VoiceDraftState; onDiscard: () => void }) {
  const t = useTranslations("voice");
  const recorder = state.phase === "recording" ? state.recorder : null;
  const [levels, setLevels] = useState(SILENT);
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    if (!recorder) return undefined;
    const start = performance.now();
    const timer = setInterval(() => {
      setLevels((before) => [...before.slice(1), Math.round(recorder.level() * PEAK_MAX)]);
      setSeconds(Math.min(VOICE.maxSeconds, Math.floor((performance.now() - start) / 1_000)));
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [recorder]);
  const left = VOICE.maxSeconds - seconds;
  const isHeld = state.phase === "recording" && state.isHeld;
  return (
    <div className={styles.recording}>
      <IconButton icon="trash" label={t("discard")} onClick={onDiscard} />
      <span className="vh" role="status">
        {recorder && t("recording")}
      </span>
      <Waveform peaks={levels} />
      <span className={styles.time} aria-hidden="true">
        {left <= SHOWN_LEFT ? t("left", { seconds: String(left) }) : clockText(seconds)}
      </span>
      {isHeld && <span className={styles.hint}>{t("release")}</span>}
    </div>
  );
}
