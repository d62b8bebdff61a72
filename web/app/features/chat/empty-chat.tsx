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

/** Shows when the two matched, and offers the other's own words as a beginning. */
export function EmptyChat({ friend, matchedOn, facts, focusComposer }: EmptyChatProps) {
  const t = useTranslations("chat");
  const sayMatchedOn = useMatchedOn();
  const language = useLocale();
  const openers = openersOf(friend, language);
  function begin(words: string) {
    const { text } = draftOf(friend.user_id);
    changeDraft(friend.user_id, { text: `${t("quoted", { words })}\n${text}` });
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
        {openers.map((words) => (
          <button key={words} type="button" className={styles.opener} onClick={() => begin(words)}>
            <Icon name="quote" />
            <span dir="auto">{words}</span>
          </button>
        ))}
      </div>
    </div>
  );
}
