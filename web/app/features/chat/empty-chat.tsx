import { useLocale, useTranslations } from "use-intl";
import type { PublicUser } from "@alcove/contract/users";
import { useMatchedOn } from "../../lib/dates-and-units/use-matched-on.ts";
import { Icon } from "../../ui/icon.tsx";
import { Picture } from "../../ui/picture.tsx";
import { changeDraft, draftOf } from "./drafts.ts";
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
  focusComposer: () => void;
}

/** Shows when the two matched, and offers questions about the other as a beginning. */
export function EmptyChat({ friend, matchedOn, facts, focusComposer }: EmptyChatProps) {
  const t = useTranslations("chat");
  const sayMatchedOn = useMatchedOn();
  const ask = useTranslations("openers");
  const openers = openersOf(friend, useLocale());
  function begin(question: string) {
    const { text } = draftOf(friend.user_id);
    changeDraft(friend.user_id, { text: text === "" ? question : `${text}\n${question}` });
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
    </div>
  );
}

function Opener({ question, onBegin }: { question: string; onBegin: (question: string) => void }) {
  return (
    <button type="button" className={styles.opener} onClick={() => onBegin(question)}>
      <Icon name="dm" />
      <span dir="auto">{question}</span>
    </button>
  );
}
