import { ApiError } from "../../lib/api/errors.ts";
import { focusHeading } from "../../lib/page/focus-heading.ts";
import { showError } from "../../lib/page/show-error.ts";
import { setBusy } from "../../lib/forms/set-busy.ts";
import { loadCalls } from "../../lib/api/load-calls.ts";

/** Only the button ends the emails, because programs open links to check them. */
export function startUnsubscribeForm(form: HTMLFormElement): void {
  const button = form.querySelector("button")!;
  const show = (outcome: "ended" | "broken") => {
    for (const part of form.querySelectorAll<HTMLElement>("[data-outcome]"))
      part.hidden = !part.dataset["outcome"]!.split(" ").includes(outcome);
    focusHeading(); // the pressed button disappears
  };
  const end = async () => {
    const token = new URLSearchParams(location.search).get("token") ?? "";
    try {
      const { api, staticPageRoutes } = await loadCalls();
      await api(staticPageRoutes.endLetters, { token });
      show("ended");
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) show("broken");
      else showError(error);
    }
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (button.ariaBusy === "true") return;
    setBusy(button, true);
    void end().finally(() => setBusy(button, false));
  });
}
