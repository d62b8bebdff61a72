import { useEffect, useState } from "react";
import { useTranslations } from "use-intl";
import { Icon } from "../../ui/icon.tsx";
import screenHeadStyles from "../../ui/styles/screen-head.module.css";
import styles from "./settings.module.css";

const SHOWN_MS = 2_000;

/** Shows that a setting was saved, for two seconds. */
export function useSaved(): { times: number; show: () => void } {
  const [times, setTimes] = useState(0);
  return { times, show: () => setTimes((before) => before + 1) };
}

/** The heading of a setting. `saved` counts the changes that were saved at once. */
export function SettingHead({ title, saved }: { title: string; saved?: { times: number } }) {
  return (
    <div className={screenHeadStyles.head}>
      <h1>{title}</h1>
      {saved && <Saved key={saved.times} isShown={saved.times > 0} />}
    </div>
  );
}

function Saved({ isShown }: { isShown: boolean }) {
  const t = useTranslations("settings");
  const [isOver, setOver] = useState(!isShown);
  useEffect(() => {
    if (isOver) return undefined;
    const timer = setTimeout(() => setOver(true), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isOver]);
  return (
    <span className={styles.saved} role="status">
      {!isOver && (
        <>
          <Icon name="check" />
          {t("saved")}
        </>
      )}
    </span>
  );
}
