import { useTranslations } from "use-intl";
import type { Party } from "@alcove/contract/users";
import { isolated } from "../../lib/texts/isolated.ts";
import { classNames } from "../../ui/class-names.ts";
import { Icon } from "../../ui/icon.tsx";
import undoLineStyles from "../../ui/styles/undo-line.module.css";
import cardLineStyles from "./card-line.module.css";

/** Until today's card is decided, the card of yesterday can take its place. */
export function PassedYesterday({ party, onUndo }: { party: Party; onUndo: () => void }) {
  const t = useTranslations("evening");
  const th = useTranslations("home");
  return (
    <div className={classNames(cardLineStyles.line, undoLineStyles.line)} role="note">
      <p>{t.rich("passedYesterday", { name: isolated(party.username), b: (name) => <b>{name}</b> })}</p>
      <button type="button" onClick={onUndo}>
        <Icon name="undo" small />
        {th("undo")}
      </button>
    </div>
  );
}
