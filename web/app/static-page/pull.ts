import { PULL_RELOAD_PX } from "@alcove/contract/times";
import { isPullVisible, watchPull } from "../lib/page/pull-gesture.ts";
import { copyOfTemplate } from "../lib/first-paint/template.ts";

export function startPull(): void {
  const mark = copyOfTemplate("pull");
  const onPull = (px: number) => {
    mark.style.setProperty("--pulled", String(Math.min(1, px / PULL_RELOAD_PX)));
    mark.toggleAttribute("data-far", px > PULL_RELOAD_PX);
    if (!isPullVisible(px)) mark.remove();
    else if (!mark.isConnected) document.body.append(mark);
  };
  watchPull({ onPull, onReload: () => location.reload() }, new AbortController().signal);
}
