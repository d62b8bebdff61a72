import { Link, useLoaderData } from "react-router";
import { DELETED_SUBJECT, getLog } from "@alcove/contract/console";
import { buttonClass } from "../../app/ui/button.tsx";
import { api } from "../api.ts";
import { CommandText } from "../command-text.tsx";
import { Heading } from "../frame.tsx";
import { Table, timeOf } from "../parts.tsx";
import { useTexts } from "../texts/use-texts.ts";
import { classNames } from "../../app/ui/class-names.ts";
import cardStyles from "../../app/ui/styles/card.module.css";
import consoleStyles from "../console.module.css";

export const loadLog = ({ request }: { request: Request }) => {
  const before = new URL(request.url).searchParams.get("before");
  return api(getLog, before === null ? {} : { before: Number(before) });
};

export function LogScreen() {
  const t = useTexts();
  const { entries, has_more: hasMore } = useLoaderData<typeof loadLog>();
  return (
    <>
      <Heading>{t("log")}</Heading>
      <p className="muted small">{t("logLead")}</p>
      <section className={classNames(cardStyles.card, consoleStyles.log)}>
        <Table
          head={[t("when"), t("who"), t("what"), t("about"), t("why")]}
          rows={entries.map(({ at, operator, action, subject, reason }) => [
            timeOf(at),
            operator ?? t("commandLine"),
            <CommandText command={action} key="action" />,
            subject === DELETED_SUBJECT ? t("deletedMember") : (subject ?? "–"),
            reason ?? "–",
          ])}
        />
      </section>
      {hasMore && (
        <Link className={buttonClass({ kind: "quiet" })} to={`?before=${entries.at(-1)!.no}`}>
          {t("older")}
        </Link>
      )}
    </>
  );
}
