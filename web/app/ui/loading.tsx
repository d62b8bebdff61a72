import { useTranslations } from "use-intl";

export function Spinner() {
  return <span className="spinner" aria-hidden="true" />;
}

/** Says once, to screen readers, that something is being loaded. */
export function LoadingStatus() {
  const t = useTranslations("ui");
  return (
    <p className="vh" role="status">
      {t("loading")}
    </p>
  );
}
