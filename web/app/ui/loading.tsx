import { useTranslations } from "use-intl";

export function Spinner() {
  return <span className="spinner" aria-hidden="true" />;
}

export function LoadingStatus() {
  const t = useTranslations("ui");
  return (
    <p className="vh" role="status">
      {t("loading")}
    </p>
  );
}
