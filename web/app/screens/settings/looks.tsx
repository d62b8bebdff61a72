import { useLoaderData } from "react-router";
import { useTranslations } from "use-intl";
import { getLooks, type Look } from "@alcove/contract/looks";
import { api } from "../../lib/api/api.ts";
import { Empty } from "../../ui/empty.tsx";
import { Icon } from "../../ui/icon.tsx";
import listStyles from "../../ui/styles/list.module.css";
import { SettingHead } from "./setting-head.tsx";

export async function loader() {
  return api(getLooks, {});
}

/** The member's part of the operator log. */
export default function LooksScreen() {
  const { looks } = useLoaderData<typeof loader>();
  const t = useTranslations("looks");
  return (
    <div className="stack">
      <SettingHead title={t("title")} />
      <p className="muted">{t("lead")}</p>
      <p>{t("later")}</p>
      {looks.length === 0 ? (
        <Empty title={t("none")} />
      ) : (
        <ul className={listStyles.list}>
          {looks.map((look, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- the list is loaded as a whole
            <Row key={index} {...look} />
          ))}
        </ul>
      )}
    </div>
  );
}

function Row({ day, kind, reason }: Look) {
  const t = useTranslations("looks");
  return (
    <li className={listStyles.row}>
      <Icon name="eye" />
      <span>
        {t(`kind_${kind}`)}
        <span className="hint">
          <span className="num">{day.replaceAll("-", "/")}</span>
          {reason !== kind && ` · ${t(`reason_${reason}`)}`}
        </span>
      </span>
    </li>
  );
}
