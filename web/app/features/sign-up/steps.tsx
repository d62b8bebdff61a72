import { useTranslations } from "use-intl";

export type Step = "authentication" | "validate" | "register";

/** Where somebody is on the way to an account. */
export function Steps({ current }: { current: Step }) {
  const t = useTranslations("signUp");
  const steps: Step[] = ["authentication", "validate", "register"];
  const words: Record<Step, string> = {
    authentication: t("stepEmail"),
    validate: t("stepCode"),
    register: t("stepProfile"),
  };
  return (
    <ol className="steps" aria-label={t("progress")}>
      {steps.map((step, position) => (
        <li
          key={step}
          className={position < steps.indexOf(current) ? "done" : undefined}
          aria-current={step === current ? "step" : undefined}
        >
          {position + 1}. {words[step]}
        </li>
      ))}
    </ol>
  );
}
