import { type ReactNode, useState } from "react";
import { useTranslations } from "use-intl";
import type { User } from "@alcove/contract/users";
import { FactFields, IntroductionField, NameField } from "../../features/profile-form/about-fields.tsx";
import { useProfileChoices } from "../../features/profile-form/choices.ts";
import { FilterFields } from "../../features/profile-form/filter-fields.tsx";
import { LinkFields } from "../../features/profile-form/link-fields.tsx";
import type { ErrorsOf } from "../../lib/forms/use-form-errors.ts";
import { classNames } from "../../ui/class-names.ts";
import wizardStyles from "../../ui/wizard/wizard.module.css";
import noteStyles from "../../ui/styles/note.module.css";
import badgeStyles from "../../ui/styles/badge.module.css";
import styles from "./sign-up.module.css";
import { Button } from "../../ui/button.tsx";
import { Segmented } from "../../ui/forms/segmented.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Wizard } from "../../ui/wizard/wizard.tsx";
import { BirthDateField } from "./birth-date-field.tsx";
import { PAGES, type Page } from "./draft.ts";
import { SignInFields } from "./sign-in-fields.tsx";
import { type ChosenPicture, SignUpPicture } from "./sign-up-picture.tsx";
import { typedProfile } from "./typed-profile.ts";
import { type RegisterFormOptions, useRegisterForm } from "./use-register-form.ts";

interface RegisterStepProps extends Omit<RegisterFormOptions, "icon"> {
  steps: ReactNode;
  /** The fields as they were before a reload. */
  values: Readonly<Record<string, string>>;
  picture: ChosenPicture;
  invitation: ReactNode;
  isRestored: boolean;
  onBack: () => void;
}

/** The last step: one form on four pages. */
export function RegisterStep({
  steps,
  values,
  picture,
  invitation,
  isRestored,
  onBack,
  ...options
}: RegisterStepProps) {
  const { page, proof } = options;
  const { icon } = picture;
  const t = useTranslations("signUp");
  const [typed] = useState(() => typedProfile(values));
  const { errorsOf, isBusy, props } = useRegisterForm({ ...options, icon });
  const pages: Record<Page, ReactNode> = {
    picture: <SignUpPicture picture={picture} proof={proof} errors={errorsOf("icon")} />,
    signIn: (
      <>
        {"accessToken" in proof && <ConfirmedEmail email={proof.email} />}
        <SignInFields userId={values["userId"]} errorsOf={errorsOf} />
      </>
    ),
    about: <AboutPage typed={typed} values={values} errorsOf={errorsOf} />,
    meet: (
      <>
        <FilterFields user={typed} errorsOf={errorsOf} />
        {invitation}
      </>
    ),
  };
  return (
    <Wizard
      {...props}
      steps={steps}
      count={t("page", { page: String(PAGES.indexOf(page) + 1), total: String(PAGES.length) })}
      title={t(`${page}Title`)}
      lead={t(page === "picture" && icon ? "pictureLeadChosen" : `${page}Lead`)}
      back={
        <Button kind="ghost" onClick={onBack}>
          {t("back")}
        </Button>
      }
      action={page === "meet" ? t("create") : t("continue")}
      isBusy={isBusy}
      saved={t("saved")}
    >
      {isRestored && !icon && page !== "picture" && (
        <p className={noteStyles.note}>
          <Icon name="info" />
          <span>{t("restored")}</span>
        </p>
      )}
      {PAGES.map((each) => (
        <div key={each} className={classNames("stack", wizardStyles.part)} hidden={each !== page}>
          {pages[each]}
        </div>
      ))}
    </Wizard>
  );
}

function ConfirmedEmail({ email }: { email: string }) {
  const t = useTranslations("signUp");
  return (
    <p className="row">
      <strong>{email}</strong>
      <span className={badgeStyles.badge}>
        <Icon name="check" />
        {t("confirmedByGoogle")}
      </span>
    </p>
  );
}

interface AboutPageProps {
  typed: Partial<User>;
  values: Readonly<Record<string, string>>;
  errorsOf: ErrorsOf;
}

function AboutPage({ typed, values, errorsOf }: AboutPageProps) {
  const t = useTranslations("signUp");
  const tp = useTranslations("profileForm");
  const choices = useProfileChoices();
  return (
    <>
      <NameField user={typed} errorsOf={errorsOf} />
      <Segmented
        legend={tp("sex")}
        name="sex"
        choices={choices.sexes}
        {...(typed.sex && { defaultValue: typed.sex })}
        {...errorsOf("sex")}
      />
      <BirthDateField values={values} errors={errorsOf("date_of_birth")} />
      <IntroductionField user={typed} errorsOf={errorsOf} />
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
          <FactFields user={typed} errorsOf={errorsOf} />
          <LinkFields user={typed} errorsOf={errorsOf} />
        </div>
      </details>
    </>
  );
}
