import { type ReactNode, useEffect, useEffectEvent, useState } from "react";
import { useTranslations } from "use-intl";
import { register } from "@alcove/contract/accounts";
import { ageError, parseFields, type ValidationErrors } from "@alcove/contract/fields";
import { FactFields, IntroductionField, NameField } from "../../features/profile-form/about-fields.tsx";
import { useProfileChoices } from "../../features/profile-form/choices.ts";
import { FilterFields } from "../../features/profile-form/filter-fields.tsx";
import { LinkFields } from "../../features/profile-form/link-fields.tsx";
import { banner } from "../../lib/page/banner.ts";
import { ApiError } from "../../lib/api/errors.ts";
import { type ErrorsOf, useForm } from "../../lib/forms/use-form.ts";
import { Button } from "../../ui/button.tsx";
import { Segmented } from "../../ui/forms/segmented.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Wizard } from "../../ui/wizard/wizard.tsx";
import type { Intent } from "./actions.ts";
import { BirthDateField } from "./birth-date-field.tsx";
import { PAGES, type Page, rememberFields } from "./draft.ts";
import { type EmailProof, proofFields } from "./email-proof.ts";
import { SignInFields } from "./sign-in-fields.tsx";
import { typedProfile } from "./typed-profile.ts";
import { classNames } from "../../ui/class-names.ts";
import wizardStyles from "../../ui/wizard/wizard.module.css";
import noteStyles from "../../ui/styles/note.module.css";
import badgeStyles from "../../ui/styles/badge.module.css";
import styles from "./sign-up.module.css";

interface RegisterStepProps {
  steps: ReactNode;
  page: Page;
  /** The fields as they were before a reload. */
  values: Readonly<Record<string, string>>;
  proof: EmailProof;
  icon: File | null;
  invitedBy: string | null;
  invitation: ReactNode;
  picture: (errorsOf: ErrorsOf) => ReactNode;
  isRestored: boolean;
  goTo: (page: Page) => void;
  onBack: () => void;
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

/** The last step: one form on four pages. */
export function RegisterStep({
  steps,
  page,
  values,
  proof,
  icon,
  invitedBy,
  invitation,
  picture,
  isRestored,
  goTo,
  onBack,
  onDone,
  onProofExpired,
}: RegisterStepProps) {
  const t = useTranslations("signUp");
  const tp = useTranslations("profileForm");
  const choices = useProfileChoices();
  const [typed] = useState(() => typedProfile(values));
  const isLast = page === "meet";
  const intent: Intent = isLast ? "create" : "check";

  function complete(fields: FormData) {
    fields.set("intent", intent);
    const more = {
      ...proofFields(proof),
      ...("accessToken" in proof && proof.agreedToSensitive ? { agree_sensitive: "yes" } : {}),
      icon_process: fields.has("icon_process") ? "yes" : "no",
      invited_by_user_id: invitedBy ?? "",
    };
    for (const [name, value] of Object.entries(more)) fields.set(name, value);
    if (icon) fields.set("icon", icon);
  }

  /** Before the account is created, all pages count. */
  function check(fields: FormData): ValidationErrors {
    const parsed = parseFields(register.input, Object.fromEntries(fields));
    const birth = parsed.ok ? parsed.value.date_of_birth : parsed.valid.date_of_birth;
    const wrongAge = birth === undefined ? null : ageError(new Date().toISOString().slice(0, 10), birth);
    const found: ValidationErrors = {
      ...(parsed.ok ? {} : parsed.errors),
      ...(wrongAge && { date_of_birth: [wrongAge] }),
    };
    return Object.fromEntries(Object.entries(found).filter(([name]) => isLast || pageOf(name) === page));
  }

  const form = useForm<unknown>({
    check,
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

  function openPageOf(fields: readonly string[]) {
    const first = PAGES.find((one) => fields.some((field) => pageOf(field) === one));
    if (first && first !== page) goTo(first);
  }

  /** Only the page of the user id and the last one need the server. */
  function handleSubmit(element: HTMLFormElement) {
    if (isLast || page === "signIn") return form.props.onSubmit(element);
    if (form.check(element)) goOn();
  }

  const part = (name: Page, content: ReactNode) => (
    <div className={classNames("stack", wizardStyles.part)} hidden={name !== page}>
      {content}
    </div>
  );
  return (
    <Wizard
      {...form.props}
      onSubmit={handleSubmit}
      steps={steps}
      count={t("page", { page: String(PAGES.indexOf(page) + 1), total: String(PAGES.length) })}
      title={t(`${page}Title`)}
      lead={t(`${page}Lead`)}
      back={
        <Button kind="ghost" onClick={onBack}>
          {t("back")}
        </Button>
      }
      action={isLast ? t("create") : t("continue")}
      isBusy={form.isBusy}
      saved={t("saved")}
    >
      {isRestored && !icon && page !== "picture" && (
        <p className={noteStyles.note}>
          <Icon name="info" />
          <span>{t("restored")}</span>
        </p>
      )}
      {part("picture", picture(form.errorsOf))}
      {part(
        "signIn",
        <>
          {"accessToken" in proof && (
            <p className="row">
              <strong>{proof.email}</strong>
              <span className={badgeStyles.badge}>
                <Icon name="check" />
                {t("confirmedByGoogle")}
              </span>
            </p>
          )}
          <SignInFields userId={values["userId"]} errorsOf={form.errorsOf} />
        </>,
      )}
      {part(
        "about",
        <>
          <NameField user={typed} errorsOf={form.errorsOf} />
          <Segmented
            legend={tp("sex")}
            name="sex"
            choices={choices.sexes}
            {...(typed.sex && { defaultValue: typed.sex })}
            {...form.errorsOf("sex")}
          />
          <BirthDateField values={values} errors={form.errorsOf("date_of_birth")} />
          <IntroductionField user={typed} errorsOf={form.errorsOf} />
          <details className={styles.moreBox}>
            <summary>
              <Icon name="plus" />
              <span>
                {t("addMore")}
                <span className="hint">{t("addMoreHint")}</span>
              </span>
              <Icon name="next" />
            </summary>
            <div className="stack">
              <FactFields user={typed} errorsOf={form.errorsOf} />
              <LinkFields user={typed} errorsOf={form.errorsOf} />
            </div>
          </details>
        </>,
      )}
      {part(
        "meet",
        <>
          <FilterFields user={typed} errorsOf={form.errorsOf} />
          {invitation}
        </>,
      )}
    </Wizard>
  );
}
