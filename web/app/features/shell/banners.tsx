import { useEffect, useRef } from "react";
import { useTranslations } from "use-intl";
import { BANNER_MS } from "@alcove/contract/limits";
import { banner, useBanners, type BannerMessage, type SentenceKey } from "../../lib/banner.ts";
import { IconButton } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";

/** The transient messages: one at a time for five seconds, the oldest first; waiting ones are hinted at. */
export function Banners() {
  const t = useTranslations("shell");
  const [first, ...waiting] = useBanners();
  return (
    <div className="banners" role="region" aria-label={t("notices")}>
      {first && <Banner key={first.id} message={first} />}
      {waiting.length > 0 && <p className="queue">{t("moreNotices")}</p>}
    </div>
  );
}

function Banner({ message }: { message: BannerMessage }) {
  const t = useTranslations() as (key: SentenceKey) => string;
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

/** Counts down while nobody looks closer. */
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
