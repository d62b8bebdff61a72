import { useTranslations } from "use-intl";
import { OperatorDetails } from "../../features/operator/operator-details.tsx";
import { settings } from "../../lib/page/settings.ts";

export function OperatorSection() {
  const t = useTranslations("operator");
  return (
    <section className="stack-sm">
      <h2>{t("title", { brand: settings.brandName })}</h2>
      <OperatorDetails />
    </section>
  );
}
