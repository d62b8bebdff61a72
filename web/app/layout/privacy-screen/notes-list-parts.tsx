import { useTranslations } from "use-intl";
import { foldTyped } from "@alcove/contract/text-rules";
import { useAction } from "../../lib/forms/use-action.ts";
import { useLock } from "../../lib/session/lock.ts";
import { Icon } from "../../ui/icon.tsx";
import { lazyModule, useLazyModule } from "../../ui/on-demand/on-demand.tsx";
import { NotesTitle } from "./notes-title.tsx";
import styles from "./notes.module.css";

const unlocking = lazyModule(() => import("../app-lock/unlock-by-pin.ts"));

interface SearchProps {
  words: string;
  onSearch: (words: string) => void;
  onLeave: () => void;
}

/** Searches the notes. The PIN unlocks the app and ends the privacy screen; a wrong one counts as on the lock screen. */
export function Search({ words, onSearch, onLeave }: SearchProps) {
  const t = useTranslations("privacyScreen");
  const { isSet, pinLength } = useLock();
  useLazyModule(unlocking, isSet);
  const unlock = useAction(async (pin: string) => {
    const { unlockByPin } = await unlocking.load();
    const { outcome } = await unlockByPin(pin);
    if (outcome === "right") onLeave();
  });

  function handleChange(typed: string) {
    onSearch(typed);
    const pin = foldTyped(typed);
    if (isSet && pin.length === pinLength && /^[0-9]+$/.test(pin)) unlock.start(pin);
  }
  return (
    <label className={styles.search}>
      <Icon name="search" />
      <input
        type="search"
        inputMode="text"
        autoComplete="off"
        aria-label={t("search")}
        placeholder={t("search")}
        value={words}
        onChange={(event) => handleChange(event.currentTarget.value)}
      />
    </label>
  );
}

interface FoldersProps {
  count: number;
  onOpen: () => void;
  onLeave: () => void;
}

export function Folders({ count, onOpen, onLeave }: FoldersProps) {
  const t = useTranslations("privacyScreen");
  return (
    <>
      <NotesTitle text={t("folders")} onLeave={onLeave} />
      <ul className={styles.box}>
        <li>
          <button type="button" data-first className={styles.folder} onClick={onOpen}>
            <b>{t("title")}</b>
            <span>{count}</span>
          </button>
        </li>
      </ul>
    </>
  );
}
