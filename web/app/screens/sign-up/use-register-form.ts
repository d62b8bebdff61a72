import { serverNow } from "../../lib/dates-and-units/server-clock.ts";
import { useEffect, useEffectEvent } from "react";
import { register } from "@alcove/contract/accounts";
import { ageError, parseFields, type ValidationErrors } from "@alcove/contract/fields";
import { ApiError } from "../../lib/api/errors.ts";
import { useForm } from "../../lib/forms/use-form.ts";
import { banner } from "../../lib/page/banner.ts";
import type { Intent } from "./actions.ts";
import { PAGES, type Page, rememberFields } from "./draft.ts";
import { type EmailProof, proofFields } from "./email-proof.ts";

export interface RegisterFormOptions {
  page: Page;
  proof: EmailProof;
  icon: File | null;
  invitedBy: string | null;
  goTo: (page: Page) => void;
  onDone: (userId: string) => void;
  onProofExpired: () => void;
}

/** The other fields belong to the page "about". */
const FIELDS: Partial<Record<Page, readonly string[]>> = {
  picture: ["icon", "icon_process", "keep_clear_icon"],
  signIn: ["user_id", "password", "password_confirmation", "email", "code"],
  meet: [
    "search_sex",
    "search_range_unit",
    "search_min_range",
    "search_max_range",
    "search_min_age",
    "search_max_age",
  ],
};

const pageOf = (field: string): Page => PAGES.find((page) => FIELDS[page]?.includes(field)) ?? "about";

/** The form of the last step, which has four pages. An error of another page opens that page. */
export function useRegisterForm({
  page,
  proof,
  icon,
  invitedBy,
  goTo,
  onDone,
  onProofExpired,
}: RegisterFormOptions) {
  const isLast = page === "meet";

  function complete(fields: FormData) {
    const intent: Intent = isLast ? "create" : "check";
    fields.set("intent", intent);
    const more = {
      ...proofFields(proof),
      icon_process: fields.has("icon_process") ? "yes" : "no",
      invited_by_user_id: invitedBy ?? "",
    };
    for (const [name, value] of Object.entries(more)) fields.set(name, value);
    if (icon) fields.set("icon", icon);
  }

  const form = useForm<unknown>({
    check: (fields) => checkPages(fields, isLast ? PAGES : [page]),
    complete,
    firstAlert: isLast ? "codes.failed" : undefined,
    onChange: rememberFields,
    onInvalid: openPageOf,
    onDone: (value) => (isLast ? onDone((value as { user: { user_id: string } }).user.user_id) : goOn()),
    onFailure({ problems, error }) {
      const isRefused = error instanceof ApiError && error.code === "google_token_refused";
      if (!problems["code"] && !isRefused) {
        openPageOf(Object.keys(problems));
        return false;
      }
      if (error instanceof ApiError) banner.alertText(error.message);
      onProofExpired();
      return true;
    },
  });

  const correctIcon = useEffectEvent(() => form.correct("icon"));
  useEffect(() => {
    if (icon) correctIcon();
  }, [icon]);

  function goOn() {
    goTo(PAGES[PAGES.indexOf(page) + 1]!);
  }

  /** The errors of the shown page come first. */
  function openPageOf(fields: readonly string[]) {
    if (fields.some((field) => pageOf(field) === page)) return;
    const first = PAGES.find((one) => fields.some((field) => pageOf(field) === one));
    if (first) goTo(first);
  }

  /** Only the page of the user id and the last one need the server. */
  function handleSubmit(element: HTMLFormElement) {
    if (isLast || page === "signIn") return form.props.onSubmit(element);
    if (form.check(element)) goOn();
  }

  return { ...form, props: { ...form.props, onSubmit: handleSubmit } };
}

/** The errors of the fields on these pages. */
function checkPages(form: FormData, pages: readonly Page[]): ValidationErrors {
  const parsed = parseFields(register.input, Object.fromEntries(form));
  const birth = parsed.ok ? parsed.value.date_of_birth : parsed.valid.date_of_birth;
  const wrongAge =
    birth === undefined ? null : ageError(new Date(serverNow()).toISOString().slice(0, 10), birth);
  const found: ValidationErrors = {
    ...(parsed.ok ? {} : parsed.errors),
    ...(wrongAge && { date_of_birth: [wrongAge] }),
  };
  return Object.fromEntries(Object.entries(found).filter(([name]) => pages.includes(pageOf(name))));
}
