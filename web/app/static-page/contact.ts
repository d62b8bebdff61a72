import { setBusy } from "../lib/forms/set-busy.ts";
import { isServerReachable } from "../lib/api/missing-file.ts";
import { banner } from "../lib/page/banner.ts";

/** Loads the code of the contact form when the form is used, or at once for texts of the previous document. */
export async function startContact(section: HTMLElement): Promise<void> {
  const form = section.querySelector("form")!;
  const button = form.querySelector<HTMLButtonElement>("[type=submit]")!;
  const unused = new AbortController();
  const { signal } = unused;
  let loading: Promise<void> | null = null;
  const load = () => (loading ??= loadForm());

  async function loadForm(): Promise<void> {
    const { startContactForm } = await import("../screens/contact/start-contact-form.ts");
    unused.abort();
    startContactForm(section);
  }

  async function submit(): Promise<void> {
    if (button.ariaBusy === "true") return;
    setBusy(button, true);
    const isLoaded = await load().then(
      () => true,
      () => false,
    );
    const isReachable = isLoaded || (await isServerReachable());
    setBusy(button, false);
    if (isLoaded) form.requestSubmit();
    else if (isReachable) reloadWithTexts();
    else banner.alert("errorScreen.offline");
  }

  if (history.state !== null) return load();
  form.addEventListener("focusin", () => void load().catch(() => undefined), { signal });
  form.addEventListener(
    "submit",
    (event) => {
      event.preventDefault();
      void submit();
    },
    { signal },
  );
}

/** The form of the next document fills them in. A failed import fails again until then. */
export function reloadWithTexts(url = location.href): void {
  const controls = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("[data-contact] [name]");
  const texts = Object.fromEntries([...controls].map(({ name, value }) => [name, value]));
  history.replaceState(texts, "", url);
  location.reload();
}
