import { useEffect, useRef } from "react";
import { useTranslations } from "use-intl";
import { BANNER_MS } from "@alcove/contract/times";
import { banner, useBanners, type BannerMessage, type TranslationKey } from "../../lib/banner.ts";
import { useIsPrivacyScreenShown } from "../../lib/privacy-screen.ts";
import { useLock } from "../../lib/session/lock.ts";
import { IconButton } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";

/**
 * The oldest banner of the queue. It waits behind the privacy screen and the lock.
 *
 * NOTE: without `aria-live` an open dialog would hide it from screen readers.
 */
export function Banners() {
  const t = useTranslations("shell");
  const all = useBanners();
  const { isLocked } = useLock();
  const [oldest] = useIsPrivacyScreenShown() || isLocked ? [] : all;
  return (
    <div className="banners" role="region" aria-live="polite" aria-label={t("notices")}>
      {oldest && <Banner key={oldest.id} message={oldest} />}
    </div>
  );
}

function Banner({ message }: { message: BannerMessage }) {
  const t = useTranslations() as (key: TranslationKey) => string;
  const remaining = useRef(BANNER_MS);
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const timer = new PausableTimer(remaining, () => banner.remove(message.id));
    const card = element.current;
    timer.run();
    const events: [string, () => void][] = [
      ["pointerenter", () => timer.pause()],
      ["focusin", () => timer.pause()],
      ["pointerleave", () => timer.run()],
      ["focusout", () => timer.run()],
    ];
    for (const [name, act] of events) card?.addEventListener(name, act);
    return () => {
      timer.pause();
      for (const [name, act] of events) card?.removeEventListener(name, act);
    };
  }, [message.id]);

  const isAlert = message.tone === "alert";
  return (
    <div ref={element} className={`banner banner--${message.tone}`} role={isAlert ? "alert" : "status"}>
      <Icon name={isAlert ? "alert" : "check"} />
      <span>{message.text ?? (message.key && t(message.key))}</span>
      <IconButton icon="close" label={t("ui.close")} onClick={() => banner.remove(message.id)} />
    </div>
  );
}

class PausableTimer {
  readonly #remaining: { current: number };
  readonly #done: () => void;
  #timer: number | null = null;
  #since = 0;

  constructor(remaining: { current: number }, done: () => void) {
    this.#remaining = remaining;
    this.#done = done;
  }

  run(): void {
    if (this.#timer !== null) return;
    this.#since = performance.now();
    this.#timer = window.setTimeout(this.#done, this.#remaining.current);
  }

  pause(): void {
    if (this.#timer === null) return;
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#remaining.current -= performance.now() - this.#since;
  }
}
