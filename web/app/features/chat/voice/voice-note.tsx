import { useEffect, useId, useRef, useState, useSyncExternalStore } from "react";
import { useTranslations } from "use-intl";
import { IconButton } from "../../../ui/button.tsx";
import { clockText } from "./clock-text.ts";
import { player, type PlayerState, type Source } from "./player.ts";
import { Waveform } from "./waveform.tsx";
import styles from "./voice.module.css";

interface VoiceNoteProps {
  /** Of the message, or of a recording. */
  noteKey: string;
  source: Source;
  seconds: number;
  peaks: readonly number[];
}

/** Plays at a press only. Leaving the screen stops it. */
export function VoiceNote(note: VoiceNoteProps) {
  const { noteKey } = note;
  const stateOf = () => player.stateOf(noteKey);
  const state = useSyncExternalStore(player.subscribe, stateOf, stateOf);
  useEffect(() => () => player.stop(noteKey), [noteKey]);
  const isAsking = state.phase === "asking";
  const [hasAsked, setAsked] = useState(false);
  if (isAsking && !hasAsked) setAsked(true);
  return isAsking ? <OthersMayHear /> : <Controls {...note} state={state} takesFocus={hasAsked} />;
}

type ControlsProps = VoiceNoteProps & { state: PlayerState; takesFocus: boolean };

function Controls({ noteKey, source, seconds, peaks, state, takesFocus }: ControlsProps) {
  const t = useTranslations("voice");
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The pressed button of the question is gone.
    if (takesFocus && document.activeElement === document.body) button.current?.focus();
  }, [takesFocus]);
  const { phase, position, speed } = state;
  const isPlaying = phase === "playing";
  const shown = phase === "stopped" && position === 0 ? seconds : position;
  return (
    <div className={styles.controls}>
      <IconButton
        ref={button}
        icon={isPlaying ? "pause" : "play"}
        look="raised"
        label={t(isPlaying ? "pause" : "play")}
        aria-busy={phase === "loading" || undefined}
        onClick={() => player.toggle(noteKey, source)}
      />
      <div className={styles.track}>
        <Waveform peaks={peaks} played={position / seconds} />
        <input
          type="range"
          min={0}
          max={seconds}
          step={0.1}
          value={Math.min(position, seconds)}
          aria-label={t("position")}
          aria-valuetext={t("length", { seconds: Math.round(position) })}
          onChange={({ currentTarget: { value } }) => player.playFrom(noteKey, source, Number(value))}
        />
      </div>
      <span className={styles.time}>
        <span className="vh">{t("length", { seconds: Math.round(shown) })}</span>
        <span aria-hidden="true">{clockText(shown)}</span>
      </span>
      <button
        type="button"
        className={styles.speed}
        aria-label={t("speed", { speed: String(speed) })}
        onClick={player.changeSpeed}
      >
        {speed}×
      </button>
    </div>
  );
}

/** Once in a visit, before the first sound. */
function OthersMayHear() {
  const t = useTranslations("voice");
  const id = useId();
  const play = useRef<HTMLButtonElement>(null);
  useEffect(() => play.current?.focus(), []);
  return (
    <div className={styles.asking}>
      <span id={id}>{t("aloud")}</span>
      <button ref={play} type="button" aria-describedby={id} onClick={player.confirm}>
        {t("play")}
      </button>
    </div>
  );
}
