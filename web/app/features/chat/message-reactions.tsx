import { useTranslations } from "use-intl";
import type { Party } from "@alcove/contract/users";
import { isolated } from "../../lib/texts/isolated.ts";
import { classNames } from "../../ui/class-names.ts";
import { Icon } from "../../ui/icon.tsx";
import type { ChatItem } from "./conversation/message-history.ts";
import styles from "./message-reactions.module.css";

interface MessageReactionsProps {
  item: ChatItem;
  friend: Party;
  onPress: () => void;
}

/** Opens the menu of the message, as its options do: the keyboard needs no second stop. */
export function MessageReactions({ item, friend, onPress }: MessageReactionsProps) {
  const t = useTranslations("chat");
  const { friendReaction, ownReaction } = item;
  if (friendReaction === null && ownReaction === null) return null;
  return (
    <button
      type="button"
      className={classNames(styles.reactions, item.isOwn && styles.own)}
      tabIndex={-1}
      onClick={onPress}
    >
      {friendReaction !== null && (
        <span>
          <Icon name={friendReaction} small />
          <span className="vh">
            {t("reactionOf", { name: isolated(friend.username), reaction: t(`reaction_${friendReaction}`) })}
          </span>
        </span>
      )}
      {ownReaction !== null && (
        <span className={styles.ownReaction}>
          <Icon name={ownReaction} small />
          <span className="vh">{t("ownReaction", { reaction: t(`reaction_${ownReaction}`) })}</span>
        </span>
      )}
    </button>
  );
}
