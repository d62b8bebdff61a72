import { useRef, useState } from "react";
import { useLoaderData, useRevalidator } from "react-router";
import { useTranslations } from "use-intl";
import { NOTES_MAX } from "@alcove/contract/limits";
import { addPost, changePost, getPosts, getQuestion, removePost } from "@alcove/contract/notes";
import type { Post } from "@alcove/contract/users";
import { type NoteContent, NoteFields, useNoteContent } from "../../features/notes/note-fields.tsx";
import { WeekQuestion } from "../../features/notes/week-question.tsx";
import { api } from "../../lib/api/api.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { banner } from "../../lib/page/banner.ts";
import { useQuestionText } from "../../features/profile/use-question-text.ts";
import { classNames } from "../../ui/class-names.ts";
import { Button } from "../../ui/button.tsx";
import { Sheet } from "../../ui/dialog.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Form } from "../../ui/forms/form.tsx";
import { SheetButtons } from "../../ui/sheet-buttons.tsx";
import { SettingHead } from "./setting-head.tsx";
import cardStyles from "../../ui/styles/card.module.css";
import styles from "./notes.module.css";

const NEW_NOTE: NoteContent = { text: "", visibility: "public" };

export async function loader() {
  const [{ posts }, { question }] = await Promise.all([api(getPosts, {}), api(getQuestion, {})]);
  return { posts, question };
}

/** The member's notes, and the week's question. */
export default function NotesScreen() {
  const { posts, question } = useLoaderData<typeof loader>();
  const t = useTranslations("notes");
  const to = useTranslations("ownNotes");
  const { revalidate } = useRevalidator();
  const list = useRef<HTMLHeadingElement>(null);
  const [edited, setEdited] = useState<Post | null>(null);
  const [removed, setRemoved] = useState<{ post: Post; button: HTMLElement } | null>(null);
  const isFull = posts.filter(({ kind }) => kind === "note").length >= NOTES_MAX;
  // A reply to the present question stands in its own part.
  const listed = posts.filter(({ kind }) => kind === "note" || question.answer === null);

  return (
    <div className="stack-lg">
      <div className="stack">
        <SettingHead title={t("title")} />
        <p className="muted">{to("lead")}</p>
        <WeekQuestion question={question} onChanged={revalidate} />
        {isFull ? <p className="muted">{to("full")}</p> : <AddNote onAdded={revalidate} />}
      </div>
      <section className="stack">
        <h2 ref={list} tabIndex={-1}>
          {to("yours")}
        </h2>
        {listed.length === 0 && <Empty title={to("none")} />}
        <ul className="stack">
          {listed.map((post) => (
            <Note
              key={post.id}
              post={post}
              onEdit={() => setEdited(post)}
              onRemove={(button) => setRemoved({ post, button })}
            />
          ))}
        </ul>
      </section>
      <EditSheet post={edited} onSaved={revalidate} onClose={() => setEdited(null)} />
      <RemoveSheet
        post={removed?.post ?? null}
        onRemoved={revalidate}
        onClose={() => setRemoved(null)}
        focusAfter={() => (removed?.button.isConnected ? removed.button : list.current)}
      />
    </div>
  );
}

function AddNote({ onAdded }: { onAdded: () => Promise<void> }) {
  const to = useTranslations("ownNotes");
  const note = useNoteContent(NEW_NOTE);
  const add = useAction(async () => {
    await api(addPost, note.content);
    note.reset({ ...NEW_NOTE, visibility: note.content.visibility });
    banner.notify("ownNotes.added");
    await onAdded();
  });
  return (
    <Form className="stack" onSubmit={() => note.check() && add.start()}>
      <NoteFields label={to("write")} note={note} />
      <Button type="submit" block busy={add.isBusy}>
        {to("add")}
      </Button>
    </Form>
  );
}

interface NoteProps {
  post: Post;
  onEdit: () => void;
  onRemove: (button: HTMLElement) => void;
}

function Note({ post, onEdit, onRemove }: NoteProps) {
  const t = useTranslations("notes");
  const to = useTranslations("ownNotes");
  const question = useQuestionText(post.kind === "week" ? post.day : null);
  const day = post.day.replaceAll("-", "/");
  return (
    <li className={classNames(cardStyles.card, "stack-sm")}>
      {question && <p className="hint">{question}</p>}
      <p className={styles.text} dir="auto">
        {post.text}
      </p>
      <p className="hint">
        <time className="num" dateTime={post.day}>
          {day}
        </time>{" "}
        · {t(post.visibility)}
      </p>
      <div className="row">
        <Button kind="quiet" small aria-label={to("editOf", { day })} onClick={onEdit}>
          {to("edit")}
        </Button>
        <Button
          kind="ghost"
          small
          aria-label={to("deleteOf", { day })}
          onClick={(event) => onRemove(event.currentTarget)}
        >
          {to("delete")}
        </Button>
      </div>
    </li>
  );
}

interface EditSheetProps {
  /** Null while the sheet is closed. */
  post: Post | null;
  onSaved: () => Promise<void>;
  onClose: () => void;
}

function EditSheet({ post, onSaved, onClose }: EditSheetProps) {
  const to = useTranslations("ownNotes");
  return (
    <Sheet isOpen={post !== null} onClose={onClose} title={to("editTitle")} closeButton>
      {post && <EditForm post={post} onSaved={onSaved} onClose={onClose} />}
    </Sheet>
  );
}

function EditForm({ post, onSaved, onClose }: EditSheetProps & { post: Post }) {
  const t = useTranslations("notes");
  const to = useTranslations("ownNotes");
  const note = useNoteContent({ text: post.text, visibility: post.visibility });
  const save = useAction(async () => {
    await api(changePost, { id: post.id, ...note.content });
    banner.notify("ownNotes.saved");
    onClose();
    await onSaved();
  });
  return (
    <Form className="stack" onSubmit={() => note.check() && save.start()}>
      <NoteFields label={to("text")} note={note} rows={6} />
      <SheetButtons isBusy={save.isBusy} confirm={to("save")} cancel={t("cancel")} onCancel={onClose} />
    </Form>
  );
}

interface RemoveSheetProps {
  post: Post | null;
  onRemoved: () => Promise<void>;
  onClose: () => void;
  /** The button disappears with its note, before the sheet closes. */
  focusAfter: () => HTMLElement | null;
}

function RemoveSheet({ post, onRemoved, onClose, focusAfter }: RemoveSheetProps) {
  const t = useTranslations("notes");
  const to = useTranslations("ownNotes");
  const remove = useAction(async () => {
    await api(removePost, { id: post!.id });
    await onRemoved();
    banner.notify("ownNotes.deleted");
    onClose();
  });
  return (
    <Sheet isOpen={post !== null} onClose={onClose} title={to("deleteTitle")} focusAfter={focusAfter}>
      <p>{to("deleteText")}</p>
      <SheetButtons
        isBusy={remove.isBusy}
        onConfirm={remove.start}
        confirm={to("delete")}
        cancel={t("cancel")}
        onCancel={onClose}
        isDanger
      />
    </Sheet>
  );
}
