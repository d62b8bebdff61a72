import type { FieldMessage } from "@alcove/contract/fields";
import { CONTACT_MAX } from "@alcove/contract/limits";
import { problemOfEmail, problemOfText } from "@alcove/contract/text-rules";
import { banner } from "../../lib/page/banner.ts";
import { ApiError } from "../../lib/api/errors.ts";
import { onPointerUp } from "../../lib/forms/on-pointer-up.ts";
import { focusFirstInvalid } from "../../lib/forms/shown-errors.ts";
import { FormAlerts } from "../../lib/forms/form-alerts.ts";
import { showError } from "../../lib/page/show-error.ts";
import { setBusy } from "../../lib/forms/set-busy.ts";
import { loadFormCalls } from "../../features/bot-check/load-form-calls.ts";
import { copyOf } from "../../lib/first-paint/template.ts";

export type ContactTexts = Record<
  "checkFields" | "required" | "invalid_characters" | "too_long" | "email_invalid" | "bot_check_failed",
  string
>;

type Control = HTMLInputElement | HTMLTextAreaElement;

const checks: Record<string, (value: string) => FieldMessage | null> = {
  email: problemOfEmail,
  message: (value) => problemOfText(value, CONTACT_MAX),
};

/** The form of the contact page. It behaves like `useForm`. */
export function startContactForm(section: HTMLElement): void {
  const form = section.querySelector("form")!;
  const sent = section.querySelector<HTMLElement>("[data-sent]")!;
  const submit = form.querySelector<HTMLButtonElement>("[type=submit]")!;
  const texts = JSON.parse(section.dataset["contact"]!) as ContactTexts;
  const template = section.querySelector("template")!;
  const controls = Object.keys(checks).map((name) => form.elements.namedItem(name) as Control);
  const alerts = new FormAlerts();
  const textOf = (message: string) => texts[message as keyof ContactTexts] ?? message;
  const problemOf = ({ name, value }: Control) => checks[name]!(value);

  /** The page's own message stands under the field, the server's above it. */
  function showProblem(control: Control, text: string, isOwn: boolean): void {
    clearProblem(control);
    const line = copyOf(template);
    line.id = `${control.id}-e`;
    line.querySelector("span")!.textContent = text;
    control[isOwn ? "after" : "before"](line);
    control.setAttribute("aria-invalid", "true");
    control.setAttribute("aria-describedby", line.id);
    control.closest(".field")?.classList.add("field--error");
  }

  function clearProblem(control: Control): void {
    const field = control.closest(".field");
    field?.querySelector(".error")?.remove();
    field?.classList.remove("field--error");
    control.removeAttribute("aria-invalid");
    control.removeAttribute("aria-describedby");
  }

  function passesCheck(): boolean {
    alerts.clear();
    controls.forEach(clearProblem);
    const invalid = controls.filter((control) => problemOf(control) !== null);
    for (const control of invalid) showProblem(control, textOf(problemOf(control)!), true);
    const [first] = invalid;
    if (!first) return true;
    const specific = problemOf(first) === "required" ? texts.checkFields : textOf(problemOf(first)!);
    alerts.add(first.name, () => banner.alertText(specific));
    focusFirstInvalid(form);
    return false;
  }

  async function send(): Promise<void> {
    const [email = "", message = ""] = controls.map(({ value }) => value);
    try {
      const { api, botToken, staticPageRoutes } = await loadFormCalls();
      const recaptchaToken = await botToken("Contact");
      await api(staticPageRoutes.contactSupport, {
        email,
        message,
        recaptchaAction: "Contact",
        recaptchaToken,
      });
      showSent(email);
    } catch (error) {
      showFailure(error);
    }
  }

  function showFailure(error: unknown): void {
    const problems = Object.entries(error instanceof ApiError ? error.errors : {});
    if (problems.length === 0) alerts.add(null, () => showError(error));
    for (const [name, [message = ""]] of problems) {
      const control = controls.find((one) => one.name === name);
      if (control) showProblem(control, textOf(message), false);
      alerts.add(name, () => banner.alertText(textOf(message)));
    }
    focusFirstInvalid(form);
  }

  function showSent(email: string): void {
    sent.querySelector("[data-email]")!.textContent = email;
    form.reset();
    form.hidden = true;
    sent.hidden = false;
    sent.querySelector("h2")!.focus();
  }

  const typed = history.state as Record<string, string> | null;
  for (const control of controls) control.value ||= typed?.[control.name] ?? "";
  history.replaceState(null, "");

  // The connection may be gone when it is sent.
  form.addEventListener("focusin", () => void loadFormCalls().catch(() => undefined), { once: true });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (submit.ariaBusy === "true" || !passesCheck()) return;
    setBusy(submit, true);
    void send().finally(() => setBusy(submit, false));
  });
  for (const control of controls) {
    control.addEventListener("input", () => {
      if (control.ariaInvalid !== "true") return;
      const problem = problemOf(control);
      if (problem) showProblem(control, textOf(problem), true);
      else {
        clearProblem(control);
        alerts.removeOf(control.name);
      }
    });
    control.addEventListener("blur", () => {
      const problem = problemOf(control);
      if (control.value !== "" && problem && problem !== "required" && control.ariaInvalid !== "true")
        onPointerUp(() => showProblem(control, textOf(problem), true));
    });
  }
  sent.querySelector("button")!.addEventListener("click", () => {
    sent.hidden = true;
    form.hidden = false;
    controls[0]!.focus();
  });
}
