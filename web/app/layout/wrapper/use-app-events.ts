import { useEffect, useEffectEvent } from "react";
import { useNavigate } from "react-router";
import { App } from "@capacitor/app";
import { Browser } from "@capacitor/browser";
import { rememberInviterOf } from "../../lib/sign-in/inviter.ts";
import { settings } from "../../lib/page/settings.ts";
import { pageOfAppUrl } from "./app-url.ts";
import { handleBack } from "./back-button.ts";

/** Opens app URLs, handles the back button, and opens pages of other sites in the system's browser. */
export function useAppEvents(): void {
  const navigate = useNavigate();
  const openPage = useEffectEvent((url: string) => {
    const page = pageOfAppUrl(url, settings.apiOrigin);
    if (page === null) return;
    void Browser.close().catch(() => undefined); // it may still show PayPal
    rememberInviterOf(page);
    if (page !== `${location.pathname}${location.search}${location.hash}`) void navigate(page);
  });
  useEffect(() => {
    const listening = [
      App.addListener("appUrlOpen", ({ url }) => openPage(url)),
      App.addListener("backButton", handleBack),
    ];
    document.addEventListener("click", openOutside);
    return () => {
      for (const each of listening) void each.then(async (listener) => listener.remove());
      document.removeEventListener("click", openOutside);
    };
  }, []);
}

function openOutside(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || event.defaultPrevented || !/^https?:$/.test(link.protocol)) return;
  const isOwn = link.origin === location.origin;
  if (isOwn && link.target !== "_blank") return;
  event.preventDefault();
  // The app has one window; a browser shows the server's own page.
  const url = isOwn ? `${settings.apiOrigin}${link.pathname}${link.search}` : link.href;
  void Browser.open({ url });
}
