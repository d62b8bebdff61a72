import { useEffect, useRef, useState } from "react";
import { useLocale, useTranslations } from "use-intl";
import { DOCUMENT_LANG } from "../../lib/texts/language.ts";
import { Icon } from "../../ui/icon.tsx";
import { Folders, Search } from "./notes-list-parts.tsx";
import { NotesBack, type NotesProps, NotesTitle } from "./notes-title.tsx";
import {
  dateOf,
  hasWords,
  isOfToday,
  itemsOf,
  lineOf,
  type Note,
  notesOf,
  typedNote,
  variantOf,
} from "./note-texts.ts";
import styles from "./notes.module.css";

const VARIANT_KEYS = ["notes0", "notes1", "notes2", "notes3", "notes4"] as const;

/** The part that a phone shows. A wide window shows the note beside the folders or the list. */
type View = "folders" | "list" | "note";

/**
 * Looks and works like a notes app, and forgets the notes written in it. No short press ends it: a long one on the title does,
 * and the PIN in the search field.
 */
export function Notes({ backRef, onLeave }: NotesProps) {
  const t = useTranslations("privacyScreen");
  const [now] = useState(() => new Date());
  const [given] = useState(() => notesOf(t(VARIANT_KEYS[variantOf(now)]!), now));
  const [own, setOwn] = useState<readonly Note[]>([]);
  const [view, setView] = useState<View>("list");
  const [openAt, setOpenAt] = useState(0);
  const screen = useViewFocus(view);
  const notes = [...given, ...own];
  const open = notes[openAt]!;

  function show(at: number) {
    setOpenAt(at);
    setView("note");
  }
  function compose() {
    setOwn([...own, typedNote("", new Date())]);
    show(notes.length);
  }
  function write(typed: string) {
    setOwn(own.map((note, at) => (given.length + at === openAt ? typedNote(typed, note.at) : note)));
  }
  return (
    <main className={styles.notes} data-view={view} ref={screen}>
      <section className={styles.list}>
        <div className={styles.bar}>
          {view === "folders" ? <span /> : <NotesBack ref={backRef} onPress={() => setView("folders")} />}
          <ComposeButton className="only-wide" onPress={compose} />
        </div>
        {view === "folders" ? (
          <Folders count={notes.length} onOpen={() => setView("list")} onLeave={onLeave} />
        ) : (
          <NoteList {...{ notes, now, openAt, onLeave }} onOpen={show} />
        )}
      </section>
      <article className={styles.page}>
        <div className={styles.pageBar}>
          <NotesBack data-first onPress={() => setView("list")} />
        </div>
        <NotePage key={openAt} note={open} onWrite={write} />
      </article>
      <div className={styles.foot}>
        <span />
        <span>{view === "list" && t("count", { count: String(notes.length) })}</span>
        <ComposeButton onPress={compose} />
      </div>
    </main>
  );
}

/** Moves the focus after a change of the view, because the pressed button may be gone. */
function useViewFocus(view: View) {
  const screen = useRef<HTMLElement>(null);
  const last = useRef(view);
  useEffect(() => {
    if (view === last.current) return;
    last.current = view;
    const firsts = [...screen.current!.querySelectorAll<HTMLElement>("[data-first]")];
    firsts.findLast((element) => element.getClientRects().length > 0)?.focus();
  }, [view]);
  return screen;
}

interface NoteListProps {
  notes: readonly Note[];
  now: Date;
  openAt: number;
  onOpen: (at: number) => void;
  onLeave: () => void;
}

function NoteList({ notes, now, openAt, onOpen, onLeave }: NoteListProps) {
  const t = useTranslations("privacyScreen");
  const lang = DOCUMENT_LANG[useLocale()];
  const [words, setWords] = useState("");
  const found = notes.map((note, at) => ({ note, at })).filter(({ note }) => hasWords(note, words));
  const ofToday = found.filter(({ note }) => isOfToday(note, now));
  const sections = [
    {
      title: t("today"),
      entries: [...ofToday.filter(isTyped).reverse(), ...ofToday.filter((it) => !isTyped(it))],
    },
    { title: t("week"), entries: found.filter(({ note }) => !isOfToday(note, now)) },
  ];
  return (
    <>
      <NotesTitle text={t("title")} onLeave={onLeave} />
      <Search words={words} onSearch={setWords} onLeave={onLeave} />
      {found.length === 0 && <p className={styles.none}>{t("nothingFound")}</p>}
      {sections.map(
        ({ title, entries }) =>
          entries.length > 0 && (
            <section key={title}>
              <h2>{title}</h2>
              <ul className={styles.box}>
                {entries.map(({ note, at }) => (
                  <li key={at} className={at === openAt ? styles.on : undefined}>
                    <button type="button" data-first={at === openAt || undefined} onClick={() => onOpen(at)}>
                      <b>{note.title || t("newNote")}</b>
                      <span>{lineOf(note, now, lang)}</span>
                    </button>
                  </li>
                ))}
              </ul>
            </section>
          ),
      )}
    </>
  );
}

const isTyped = ({ note }: { note: Note }): boolean => note.typed !== undefined;

function NotePage({ note, onWrite }: { note: Note; onWrite: (typed: string) => void }) {
  const t = useTranslations("privacyScreen");
  const lang = DOCUMENT_LANG[useLocale()];
  return (
    <>
      <time>{dateOf(note, lang)}</time>
      {note.typed === undefined ? (
        <>
          <h2>{note.title}</h2>
          <ul>
            {itemsOf(note.text).map((item) => (
              <li key={item}>{item}</li>
            ))}
          </ul>
        </>
      ) : (
        <textarea
          data-first
          aria-label={t("newNote")}
          defaultValue={note.typed}
          onChange={(event) => onWrite(event.currentTarget.value)}
        />
      )}
    </>
  );
}

function ComposeButton({ className, onPress }: { className?: string; onPress: () => void }) {
  const t = useTranslations("privacyScreen");
  return (
    <button type="button" className={className} aria-label={t("newNote")} onClick={onPress}>
      <Icon name="compose" />
    </button>
  );
}
