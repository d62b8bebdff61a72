import { useEffect, useState } from "react";
import { useLoaderData, useRevalidator } from "react-router";
import { useTranslations } from "use-intl";
import { getNotices, readNotices } from "@alcove/contract/cases";
import { api } from "../../lib/api/api.ts";
import { isResync } from "../../realtime/events.ts";
import { onRealtimeEvent } from "../../realtime/realtime.ts";
import { Empty } from "../../ui/empty.tsx";
import { SettingHead } from "./setting-head.tsx";
import badgeStyles from "../../ui/styles/badge.module.css";
import cardStyles from "../../ui/styles/card.module.css";
import { classNames } from "../../ui/class-names.ts";

export async function loader() {
  return api(getNotices, {});
}

/** Notices of the operator, newest first. Opening the list reads them; the marks stay until it closes. */
export default function NoticesScreen() {
  const { notices } = useLoaderData<typeof loader>();
  const t = useTranslations("ownNotices");
  const { revalidate } = useRevalidator();
  const [marked, setMarked] = useState<readonly string[]>([]);
  const unread = notices.filter((notice) => notice.is_new).map(({ id }) => id);
  const isAnyNew = unread.length > 0;
  if (unread.some((id) => !marked.includes(id))) setMarked([...new Set([...marked, ...unread])]);
  useEffect(() => {
    // A failure leaves them new.
    if (isAnyNew) api(readNotices, {}).then(revalidate, () => undefined);
  }, [isAnyNew, revalidate]);
  useEffect(
    () => onRealtimeEvent((event) => void ((event.kind === "notice" || isResync(event)) && revalidate())),
    [revalidate],
  );
  return (
    <div className="stack">
      <SettingHead title={t("title")} />
      <p className="muted">{t("lead")}</p>
      {notices.length === 0 && <Empty title={t("none")} />}
      {notices.map(({ id, text, created_on: on }) => (
        <section key={id} className={classNames(cardStyles.card, "stack-sm")}>
          <p>{text}</p>
          <p className="row between">
            <span className="hint num">{on.replaceAll("-", "/")}</span>
            {marked.includes(id) && (
              <span className={classNames(badgeStyles.badge, badgeStyles.lamp)}>{t("isNew")}</span>
            )}
          </p>
        </section>
      ))}
    </div>
  );
}
