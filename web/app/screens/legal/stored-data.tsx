import { Link, useLoaderData, useParams } from "react-router";
import { useTranslations } from "use-intl";
import type { ResponseOf } from "@alcove/contract/call";
import { getStoredData } from "@alcove/contract/stored-data";
import { api } from "../../lib/api/api.ts";
import { languageOfSegment } from "../../lib/texts/language.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import cardStyles from "../../ui/styles/card.module.css";
import screenHeadStyles from "../../ui/styles/screen-head.module.css";
import type { PrivacyPolicy } from "./legal-text.ts";
import { privacyPolicies } from "./legal-texts.ts";
import { useFillIn } from "./legal-values.ts";

type StoredKind = ResponseOf<typeof getStoredData>["kinds"][number];

export async function loader() {
  return api(getStoredData, {});
}

/** `/{lang}/setting/kept`: the table of the privacy policy, in the policy's own words. */
export default function StoredDataScreen() {
  const { kinds } = useLoaderData<typeof loader>();
  const t = useTranslations("kept");
  const title = useTranslations("settings")("kept");
  const policy = privacyPolicies[languageOfSegment(useParams()["lang"])];
  return (
    <div className="stack">
      <div className={screenHeadStyles.head}>
        <h1>{title}</h1>
      </div>
      <p className="muted">
        {t("lead")} <Link to={`${useLanguagePath()}/privacy-policy`}>{t("policy")}</Link>
      </p>
      {kinds.map((kind) => (
        <Kind key={kind.kind} {...kind} policy={policy} />
      ))}
    </div>
  );
}

function Kind({ kind, lasts, reasons, periods, policy }: StoredKind & { policy: PrivacyPolicy }) {
  const t = useTranslations("kept");
  const fillIn = useFillIn();
  const { stored, device, retention, grounds } = policy;
  const name = kind === "device" ? nameOf(device.heading) : stored.items[kind][0];
  const words = reasons.map((reason) => grounds.items[reason][0]).join(" · ");
  return (
    <section className={`${cardStyles.card} stack-sm`}>
      <h2>{name}</h2>
      {lasts === "account" && <p>{t(periods.length === 0 ? "asLong" : "asLongExcept")}</p>}
      {periods.map((period) => (
        <p key={period.name}>{fillIn(retention.items[period.name])}</p>
      ))}
      <p className="hint">{t("why", { reasons: words })}</p>
    </section>
  );
}

/** Without the number of the section. */
const nameOf = (heading: string): string => heading.replace(/^[^\s.．、]+[.．、\s]\s*/u, "");
