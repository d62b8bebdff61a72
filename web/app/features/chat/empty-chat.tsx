import { useLocale, useTranslations } from "use-intl";
import type { ReactNode } from "react";
import type { Post, PublicUser } from "@alcove/contract/users";
import { useMatchedOn } from "../../lib/dates-and-units/use-matched-on.ts";
import { Icon } from "../../ui/icon.tsx";
import { Picture } from "../../ui/picture.tsx";
import { changeDraft, draftOf } from "./drafts.ts";
import { linkify } from "./linkify.tsx";
import { openersOf } from "./openers.ts";
import { classNames } from "../../ui/class-names.ts";
import portraitStyles from "../../ui/styles/portrait.module.css";
import styles from "./empty-chat.module.css";

interface EmptyChatProps {
  friend: PublicUser;
  /** A day in UTC; null if unknown. */
  matchedOn: string | null;
  /** About the friend, in one line. */
  facts: string;
  Notes: NotesView;
  focusComposer: () => void;
}

/** Shows notes as a profile does. */
export type NotesView = (props: {
  posts: readonly Post[];
  renderText: (text: string) => ReactNode;
  onReply: (post: Post) => void;
}) => ReactNode;

const NOTES_SHOWN = 3;

/** Shows when the two matched, and offers questions about the other, and their notes, as a beginning. */
export function EmptyChat({ friend, matchedOn, facts, Notes, focusComposer }: EmptyChatProps) {
  const t = useTranslations("chat");
  const sayMatchedOn = useMatchedOn();
  const ask = useTranslations("openers");
  const openers = openersOf(friend, useLocale());
  function begin(question: string) {
    const { text } = draftOf(friend.user_id);
    changeDraft(friend.user_id, { text: text === "" ? question : `${text}\n${question}` });
    focusComposer();
  }
  function replyTo({ id }: Post) {
    changeDraft(friend.user_id, { noteId: id, replyId: null });
    focusComposer();
  }
  return (
    <div className={styles.empty}>
      <span className={classNames(portraitStyles.portrait, styles.portrait)}>
        <Picture src={friend.icon} alt="" sizes="9rem" width="600" height="600" />
      </span>
      <h2>{sayMatchedOn(friend.username, matchedOn)}</h2>
      <p className="muted small">{facts}</p>
      <p className={classNames("hint", styles.hint)}>
        {openers.length > 0 ? t("openersHint") : t("sayHello")}
      </p>
      <div className={styles.openers}>
        {openers.map(({ key, hobby }) => (
          <Opener key={key} question={hobby === null ? ask(key) : ask(key, { hobby })} onBegin={begin} />
        ))}
      </div>
      <div className={styles.notes}>
        <Notes posts={newestOf(friend.posts)} renderText={linkify} onReply={replyTo} />
      </div>
    </div>
  );
}

/** The week's reply and the newest notes. */
function newestOf(posts: readonly Post[]): Post[] {
  const isWeek = ({ kind }: Post) => kind === "week";
  return [...posts.filter(isWeek), ...posts.filter((post) => !isWeek(post))].slice(0, NOTES_SHOWN);
}

function Opener({ question, onBegin }: { question: string; onBegin: (question: string) => void }) {
  return (
    <button type="button" className={styles.opener} onClick={() => onBegin(question)}>
      <Icon name="dm" />
      <span dir="auto">{question}</span>
    </button>
  );
}
