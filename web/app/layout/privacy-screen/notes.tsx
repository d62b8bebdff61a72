import { useState } from "react";
import { useLocale, useTranslations } from "use-intl";
import { DOCUMENT_LANG } from "../../lib/texts/language.ts";
import { Icon } from "../../ui/icon.tsx";
import { NotesBack, type NotesBackProps } from "./notes-back.tsx";
import { itemsOf, lineOf, type Note, notesOf, variantOf } from "./note-texts.ts";
import styles from "./notes.module.css";

const VARIANT_KEYS = ["notes0", "notes1", "notes2", "notes3", "notes4"] as const;

/** Looks like a notes app. Only its first button works. */
export function Notes(back: NotesBackProps) {
  const t = useTranslations("privacyScreen");
  const [now] = useState(() => new Date());
  const lang = DOCUMENT_LANG[useLocale()];
  const { today, earlier, newest } = notesOf(t(VARIANT_KEYS[variantOf(now)]!), now, lang);
  const [open] = today;
  return (
    <main className={styles.notes}>
      <section className={styles.list}>
        <div className={styles.bar}>
          <NotesBack {...back} />
          <span className="only-wide">
            <Icon name="compose" />
          </span>
        </div>
        <h1>{t("title")}</h1>
        <div className={styles.search}>
          <Icon name="search" />
          {t("search")}
        </div>
        <h2>{t("today")}</h2>
        <NoteList notes={today} open={open} />
        <h2>{t("week")}</h2>
        <NoteList notes={earlier} />
      </section>
      {open && (
        <article className={styles.page}>
          <time>{newest}</time>
          <h2>{open.title}</h2>
          <ul>
            {itemsOf(open.text).map((item) => (
              <li key={item}>{item}</li>
            ))}
          </ul>
        </article>
      )}
      <div className={styles.foot}>
        <span />
        <span>{t("count", { count: String(today.length + earlier.length) })}</span>
        <Icon name="compose" />
      </div>
    </main>
  );
}

function NoteList({ notes, open }: { notes: readonly Note[]; open?: Note | undefined }) {
  return (
    <ul className={styles.box}>
      {notes.map((note) => (
        <li key={note.title} className={note === open ? styles.on : undefined}>
          <b>{note.title}</b>
          <span>{lineOf(note)}</span>
        </li>
      ))}
    </ul>
  );
}
