import { Link } from "react-router";
import { useTranslations } from "use-intl";
import type { Quote } from "@alcove/contract/messaging";
import type { Party } from "@alcove/contract/users";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { Icon } from "../../ui/icon.tsx";
import styles from "./quote.module.css";

/** The name above a quote, and its first lines. */
export function QuoteText({
  name,
  quote,
}: {
  name: string;
  quote: Pick<Quote, "description" | "has_image" | "has_voice">;
}) {
  const t = useTranslations("chat");
  return (
    <>
      <b className={styles.name} dir="auto">
        {name}
      </b>
      <span className={styles.text} dir="auto">
        {quote.description ?? (
          <>
            <Icon name={quote.has_voice ? "microphone" : "image"} small />
            {t(quote.has_voice ? "voiceNote" : "image")}
          </>
        )}
      </span>
    </>
  );
}

interface QuoteButtonProps {
  quote: Quote;
  friend: Party;
  onShow: (messageId: string) => void;
}

/** Leads to the quoted message, or to the profile with the quoted note. */
export function QuoteButton({ quote, friend, onShow }: QuoteButtonProps) {
  const t = useTranslations("chat");
  const base = useLanguagePath();
  if (quote.description === null && !quote.has_image && !quote.has_voice) return null;
  const isFriends = quote.sender_id === friend.user_id;
  const name = isFriends ? friend.username : t("you");
  if (quote.is_note)
    return (
      <Link
        className={styles.quote}
        to={isFriends ? `${base}/home/${encodeURIComponent(friend.user_id)}` : `${base}/setting/notes`}
      >
        <span className="vh">{t("inReplyTo")}</span>
        <QuoteText name={name} quote={quote} />
      </Link>
    );
  return (
    <button type="button" className={styles.quote} onClick={() => onShow(quote.id)}>
      <span className="vh">{t("inReplyTo")}</span>
      <QuoteText name={name} quote={quote} />
    </button>
  );
}
