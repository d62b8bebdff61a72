import { useEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { BANNER_MS } from "@alcove/contract/times";
import { banner, type TranslationKey } from "../../lib/page/banner.ts";
import { useNoticePlace } from "../../lib/page/notice-place.ts";
import { useIsPrivacyScreenShown } from "../../lib/page/privacy-screen.ts";
import { useLock } from "../../lib/session/lock.ts";
import { Icon } from "../../ui/icon.tsx";
import styles from "./notice-line.module.css";

/** Shows a success in its place, as long as a banner would. */
export function NoticeLine() {
  const textOf = useTranslations() as (key: TranslationKey) => string;
  const [place, setPlace] = useState<HTMLElement | null>(null);
  const { notice, remove } = useNoticePlace(place);
  const isCovered = useIsPrivacyScreenShown();
  const { isLocked } = useLock();
  const isHidden = isCovered || isLocked;
  const id = notice?.id;
  useEffect(() => {
    if (id === undefined || isHidden) return undefined;
    const timer = setTimeout(remove, BANNER_MS);
    return () => clearTimeout(timer);
  }, [id, isHidden, remove]);
  const shown = useRef<number | undefined>(undefined);
  useEffect(() => {
    shown.current = id;
  });
  // Another screen would show it as a banner.
  useEffect(() => () => void (shown.current !== undefined && banner.remove(shown.current)), []);
  return (
    <span ref={setPlace} className={styles.line} role="status">
      {notice && (
        <>
          <Icon name="check" />
          {notice.text ?? (notice.key && textOf(notice.key))}
        </>
      )}
    </span>
  );
}
