import { App, type BackButtonListenerEvent } from "@capacitor/app";
import { fit } from "../../lib/api/native-fit.ts";
import { privacyScreen } from "../../lib/page/privacy-screen.ts";
import { lock } from "../../lib/session/lock.ts";

/**
 * Closes the open dialog or menu, else goes back, else leaves the app. Cover and lock stay, so that back uncovers nothing.
 * The notice of versions that do not fit stays too.
 */
export function handleBack({ canGoBack }: BackButtonListenerEvent): void {
  if (privacyScreen.isShown() || lock.getState().isLocked || fit.get() !== "fits") {
    void App.minimizeApp();
    return;
  }
  const layer = [...document.querySelectorAll("[role='dialog'], [role='alertdialog'], [role='menu']")].at(-1);
  if (layer) {
    // A repeated key: two presses of a real Esc cover the page.
    const escape = { key: "Escape", repeat: true, bubbles: true, cancelable: true };
    (layer.contains(document.activeElement) ? document.activeElement! : layer).dispatchEvent(
      new KeyboardEvent("keydown", escape),
    );
    return;
  }
  if (canGoBack) history.back();
  else void App.minimizeApp();
}
