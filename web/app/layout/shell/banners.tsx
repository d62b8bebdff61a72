import { useEffect, useRef } from "react";
import { useTranslations } from "use-intl";
import { BANNER_MS } from "@alcove/contract/times";
import { banner, type BannerMessage, type TranslationKey } from "../../lib/page/banner.ts";
import { useFloating } from "../../lib/page/notice-place.ts";
import { useIsPrivacyScreenShown } from "../../lib/page/privacy-screen.ts";
import { PausableTimer } from "../../lib/page/pausable-timer.ts";
import { useLock } from "../../lib/session/lock.ts";
import { IconButton } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { classNames } from "../../ui/class-names.ts";
import { useBannerPlace } from "./banner-place.ts";
import styles from "./banners.module.css";

/**
 * The oldest banner of the queue, above the bars at the bottom of the window. It waits behind the privacy screen and the lock.
 *
 * NOTE: without `aria-live` an open dialog would hide it from screen readers.
 */
export function Banners() {
  const t = useTranslations("shell");
  const all = useFloating();
  const { isLocked } = useLock();
  const [oldest] = useIsPrivacyScreenShown() || isLocked ? [] : all;
  const bottom = useBannerPlace(oldest !== undefined);
  return (
    <div
      className={classNames(styles.banners, bottom !== null && styles.below)}
      style={bottom === null ? undefined : { bottom }}
      role="region"
      aria-live="polite"
      aria-label={t("notices")}
    >
      {oldest && <Banner key={oldest.id} message={oldest} />}
    </div>
  );
}

function Banner({ message }: { message: BannerMessage }) {
  const t = useTranslations("ui");
  const textOf = useTranslations() as (key: TranslationKey) => string;
  const remaining = useRef(BANNER_MS);
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const timer = new PausableTimer(remaining, () => banner.remove(message.id));
    timer.runExceptInUse(element.current!);
    return () => timer.pause();
  }, [message.id]);

  const isAlert = message.tone === "alert";
  return (
    <div
      ref={element}
      className={isAlert ? classNames(styles.banner, styles.alert) : classNames(styles.banner, styles.notify)}
      role={isAlert ? "alert" : "status"}
    >
      <Icon name={isAlert ? "alert" : "check"} />
      <span>{message.text ?? (message.key && textOf(message.key))}</span>
      <IconButton icon="close" label={t("close")} onClick={() => banner.remove(message.id)} />
    </div>
  );
}
