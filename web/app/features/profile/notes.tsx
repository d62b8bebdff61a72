import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import type { Post } from "@alcove/contract/users";
import { cut } from "@alcove/contract/text-rules";
import { useQuestionText } from "./use-question-text.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Clamped } from "./clamped.tsx";
import styles from "./notes.module.css";

const EXCERPT_LENGTH = 60;

interface NotesProps {
  posts: readonly Post[];
  /** Links are links for matches only; by default a text is plain. */
  renderText?: (text: string) => ReactNode;
  /** Only for a match. */
  onReply?: (post: Post) => void;
  /** Below the notes. */
  hint?: string;
}

/** A member's notes, the reply to the week's question first. */
export function Notes({ posts, hint, ...note }: NotesProps) {
  const t = useTranslations("notes");
  if (posts.length === 0) return null;
  const inOrder = [...posts].sort((a, b) => Number(b.kind === "week") - Number(a.kind === "week"));
  return (
    <section className={styles.notes}>
      <h2 className={styles.title}>{t("title")}</h2>
      <ul className={styles.list}>
        {inOrder.map((post) => (
          <li key={post.id}>
            <Note post={post} {...note} />
          </li>
        ))}
      </ul>
      {hint !== undefined && <p className="hint">{hint}</p>}
    </section>
  );
}

function Note({ post, renderText, onReply }: Omit<NotesProps, "posts" | "hint"> & { post: Post }) {
  const t = useTranslations("notes");
  return (
    <>
      <NoteText post={post}>{renderText ? renderText(post.text) : post.text}</NoteText>
      <div className={styles.foot}>
        <time className="hint num" dateTime={post.day}>
          {post.day.replaceAll("-", "/")}
        </time>
        {onReply && (
          <Button
            kind="ghost"
            small
            aria-label={t("replyTo", { text: cut(post.text, EXCERPT_LENGTH) })}
            onClick={() => onReply(post)}
          >
            <Icon name="reply" small />
            {t("reply")}
          </Button>
        )}
      </div>
    </>
  );
}

function NoteText({ post, children }: { post: Post; children: ReactNode }) {
  const question = useQuestionText(post.kind === "week" ? post.day : null);
  return (
    <>
      {question && <p className={styles.question}>{question}</p>}
      <Clamped>
        <p className={styles.text} dir="auto">
          {children}
        </p>
      </Clamped>
    </>
  );
}

/** On a card: the reply to the week's question, if there is one. */
export function WeekAnswer({ posts }: { posts: readonly Post[] }) {
  const answer = posts.find(({ kind }) => kind === "week");
  if (!answer) return null;
  return (
    <div className={styles.answer}>
      <NoteText post={answer}>{answer.text}</NoteText>
    </div>
  );
}
