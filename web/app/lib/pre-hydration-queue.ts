import { BLANK_ATTRIBUTE } from "./privacy-screen.ts";

/** What the page tells its first script: that the app runs. */
const HYDRATED_EVENT = "alive";

/** The mark of a button that hides the screen, which cannot wait. */
export const hidesScreenAtOnce = { "data-hides": "" };

/** The app runs from now on: what was pressed before is done now. */
export function markHydrated(): void {
  dispatchEvent(new Event(HYDRATED_EVENT));
}

/**
 * Keeps what is pressed while the page is still read: built pages show long before the app runs, and a browser would send
 * their forms by itself. The last press is busy until the app runs, and is repeated then, with the fields as they are by then. Where
 * the app does not come, the page says so.
 */
export const preHydrationQueueScript = `{
  const page = document.documentElement.dataset;
  const life = new AbortController();
  const before = (type, act) => addEventListener(type, act, { capture: true, signal: life.signal });
  let pressed = null;
  const keep = (event, button) => {
    event.preventDefault();
    // Taking the page over, the app would hear of it too.
    event.stopImmediatePropagation();
    pressed?.removeAttribute("aria-busy");
    pressed = button;
    if (!("lifeless" in page)) button?.setAttribute("aria-busy", "true");
  };
  const fail = () => {
    page.lifeless = "";
    pressed?.removeAttribute("aria-busy");
  };
  before("submit", (event) => keep(event, event.submitter));
  before("click", (event) => {
    const button = event.target.closest("button[type=button]");
    if (!button) return;
    keep(event, button);
    if (button.matches("[data-hides]")) page.${BLANK_ATTRIBUTE} = "";
  });
  before("error", ({ target }) => (target === window || target.localName === "script") && fail());
  before("unhandledrejection", fail);
  before("${HYDRATED_EVENT}", () => {
    life.abort();
    delete page.lifeless;
    pressed?.removeAttribute("aria-busy");
    if (pressed?.isConnected) pressed.click();
  });
}`;
