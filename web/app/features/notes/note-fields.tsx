import { useState } from "react";
import { useTranslations } from "use-intl";
import { NOTE_MAX } from "@alcove/contract/limits";
import { isVisible, lengthOf, tidy } from "@alcove/contract/text-rules";
import { type NoteVisibility, noteVisibilities } from "@alcove/contract/users";
import { TextArea } from "../../ui/forms/field.tsx";
import { Segmented } from "../../ui/forms/segmented.tsx";

export interface NoteContent {
  readonly text: string;
  readonly visibility: NoteVisibility;
}

type TextError = "required" | "too_long";

function errorOf(text: string): TextError | undefined {
  const tidied = tidy(text);
  if (!isVisible(tidied)) return "required";
  return lengthOf(tidied) > NOTE_MAX ? "too_long" : undefined;
}

/** The content of a note while it is written. An error shows at an attempt to save, and leaves when it is corrected. */
export function useNoteContent(initial: NoteContent) {
  const [content, setContent] = useState(initial);
  const [isChecked, setChecked] = useState(false);
  const error = errorOf(content.text);
  return {
    content,
    textError: isChecked ? error : undefined,
    change: (changes: Partial<NoteContent>) => setContent((before) => ({ ...before, ...changes })),
    reset(next: NoteContent) {
      setContent(next);
      setChecked(false);
    },
    /** Returns false, and shows why, if the text cannot be saved. */
    check(): boolean {
      setChecked(true);
      return error === undefined;
    },
  };
}

interface NoteFieldsProps {
  label: string;
  note: Pick<ReturnType<typeof useNoteContent>, "content" | "textError" | "change">;
  rows?: number;
}

/** The text of a note, and who can read it. */
export function NoteFields({ label, note: { content, textError, change }, rows = 4 }: NoteFieldsProps) {
  const t = useTranslations("notes");
  return (
    <>
      <TextArea
        label={label}
        rows={rows}
        value={content.text}
        ownError={textError}
        hint={t("textHint")}
        onChange={(event) => change({ text: event.currentTarget.value })}
      />
      <Segmented
        legend={t("who")}
        name="visibility"
        choices={noteVisibilities.map((one) => [one, t(`${one}Short`)])}
        value={content.visibility}
        hint={t(content.visibility)}
        onChange={(value) => change({ visibility: value as NoteVisibility })}
      />
    </>
  );
}
