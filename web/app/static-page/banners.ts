import { BANNER_MS } from "@alcove/contract/times";
import { banner, type BannerMessage } from "../lib/page/banner.ts";
import { PausableTimer } from "../lib/page/pausable-timer.ts";
import { privacyScreen } from "../lib/page/privacy-screen.ts";
import { copyOfTemplate } from "../lib/first-paint/template.ts";
import { staticTexts } from "../lib/first-paint/static-texts.ts";

/** Shows the oldest banner, which waits behind the privacy screen. */
export function startBanners(): void {
  const region = document.querySelector('.banners[role="region"]')!;
  let shown: BannerMessage | undefined;
  let stop = () => {};
  const update = () => {
    const oldest = privacyScreen.isShown() ? undefined : banner.getState()[0];
    if (oldest === shown) return;
    stop();
    shown = oldest;
    stop = oldest ? show(region, oldest) : () => {};
  };
  banner.subscribe(update);
  privacyScreen.subscribe(update);
  update();
}

function show(region: Element, { id, tone, text, key }: BannerMessage): () => void {
  const card = copyOfTemplate(`banner-${tone}`);
  card.querySelector("span")!.textContent = text ?? (key && staticTexts().banners[key]) ?? "";
  card.querySelector("button")!.addEventListener("click", () => banner.remove(id));
  region.append(card);
  const timer = new PausableTimer({ current: BANNER_MS }, () => banner.remove(id));
  timer.runExceptInUse(card);
  return () => {
    timer.pause();
    card.remove();
  };
}
