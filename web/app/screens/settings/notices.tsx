import { useLoaderData } from "react-router";
import { useTranslations } from "use-intl";
import { getNotices } from "@alcove/contract/cases";
import { api } from "../../lib/api/api.ts";
import { Empty } from "../../ui/empty.tsx";
import { SettingHead } from "./setting-head.tsx";
import cardStyles from "../../ui/styles/card.module.css";
import { classNames } from "../../ui/class-names.ts";

export async function loader() {
  return api(getNotices, {});
}

/** Notices of the operator, newest first. */
export default function NoticesScreen() {
  const { notices } = useLoaderData<typeof loader>();
  const t = useTranslations("ownNotices");
  return (
    <div className="stack">
      <SettingHead title={t("title")} />
      <p className="muted">{t("lead")}</p>
      {notices.length === 0 && <Empty title={t("none")} />}
      {notices.map(({ id, text, created_on: on }) => (
        <section key={id} className={classNames(cardStyles.card, "stack-sm")}>
          <p>{text}</p>
          <p className="hint num">{on.replaceAll("-", "/")}</p>
        </section>
      ))}
    </div>
  );
}
