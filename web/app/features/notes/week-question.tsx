import { useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { answerQuestion, type Question } from "@alcove/contract/notes";
import { api } from "../../lib/api/api.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { banner } from "../../lib/page/banner.ts";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/forms/form.tsx";
import { NoteFields, useNoteContent } from "./note-fields.tsx";
import styles from "./week-question.module.css";

interface WeekQuestionProps {
  /** As loaded by the screen with `getQuestion`. */
  question: Question;
  /** After each change, for a screen that shows the reply elsewhere too. */
  onChanged?: () => Promise<void>;
}

/** The week's question with the member's reply: they reply, change it, or remove it. */
export function WeekQuestion({ question: loaded, onChanged }: WeekQuestionProps) {
  const t = useTranslations("notes");
  const [saved, setSaved] = useState({ before: loaded, question: loaded });
  const [isWriting, setWriting] = useState(false);
  const title = useRef<HTMLHeadingElement>(null);
  const question = saved.before === loaded ? saved.question : loaded;
  const { answer } = question;

  async function save(text: string | null, visibility: Question["visibility"]): Promise<void> {
    const changed = await api(answerQuestion, { text, visibility });
    setSaved({ before: loaded, question: changed.question });
    setWriting(false);
    title.current?.focus(); // the form or the buttons disappear
    banner.notify(text === null ? "notes.answerGone" : "notes.answered");
    await onChanged?.();
  }
  const takeBack = useAction(() => save(null, null));

  return (
    <section className={styles.question}>
      <h2 ref={title} tabIndex={-1} className={styles.title}>
        {t("question")}
      </h2>
      <p className={styles.text}>{question.text}</p>
      {isWriting && <AnswerForm question={question} onSave={save} onCancel={() => setWriting(false)} />}
      {!isWriting && answer !== null && (
        <>
          <p className={styles.answer} dir="auto">
            {answer}
          </p>
          <p className="hint">{t(question.visibility!)}</p>
          <div className="row">
            <Button kind="quiet" small onClick={() => setWriting(true)}>
              {t("changeAnswer")}
            </Button>
            <Button kind="ghost" small busy={takeBack.isBusy} onClick={takeBack.start}>
              {t("takeBack")}
            </Button>
          </div>
        </>
      )}
      {!isWriting && answer === null && (
        <>
          <p className="hint">{t("questionHint")}</p>
          <div className="row">
            <Button kind="quiet" small onClick={() => setWriting(true)}>
              {t("answer")}
            </Button>
          </div>
        </>
      )}
    </section>
  );
}

interface AnswerFormProps {
  question: Question;
  onSave: (text: string, visibility: Question["visibility"]) => Promise<void>;
  onCancel: () => void;
}

function AnswerForm({ question, onSave, onCancel }: AnswerFormProps) {
  const t = useTranslations("notes");
  const note = useNoteContent({ text: question.answer ?? "", visibility: question.visibility ?? "public" });
  const save = useAction(() => onSave(note.content.text, note.content.visibility));
  return (
    <Form className="stack" onSubmit={() => note.check() && save.start()}>
      <NoteFields label={t("yourAnswer")} note={note} rows={3} />
      <div className="row">
        <Button type="submit" busy={save.isBusy}>
          {t("saveAnswer")}
        </Button>
        <Button kind="ghost" onClick={onCancel}>
          {t("cancel")}
        </Button>
      </div>
    </Form>
  );
}
