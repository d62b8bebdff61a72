import { Link, useLoaderData, useRevalidator } from "react-router";
import { getHelpQueue } from "@alcove/contract/console-help";
import { Button, buttonClass } from "../../app/ui/button.tsx";
import { Empty } from "../../app/ui/empty.tsx";
import listStyles from "../../app/ui/styles/list.module.css";
import { api } from "../api.ts";
import { Heading } from "../frame.tsx";
import { dayOf } from "../parts.tsx";
import { useTexts } from "../texts/use-texts.ts";
import consoleStyles from "../console.module.css";
import { classNames } from "../../app/ui/class-names.ts";

export const loadHelp = () => api(getHelpQueue, {});

export function HelpScreen() {
  const t = useTexts();
  const { threads } = useLoaderData<typeof loadHelp>();
  const { revalidate, state } = useRevalidator();
  return (
    <>
      <div className="row between">
        <Heading>{t("help")}</Heading>
        <Button kind="quiet" small busy={state === "loading"} onClick={() => void revalidate()}>
          {t("refresh")}
        </Button>
      </div>
      {threads.length === 0 ? (
        <Empty title={t("noHelp")} text={t("noHelpText")} />
      ) : (
        <>
          <p className="muted small">{t("helpLead")}</p>
          <ul className={listStyles.list}>
            {threads.map(({ id, since, questions }) => (
              <li key={id} className={classNames(listStyles.row, consoleStyles.queueRow)}>
                <span>
                  {t("questionCount", { count: questions })}
                  <span className="hint num">{t("waitsSince", { day: dayOf(since) })}</span>
                </span>
                <Link
                  className={buttonClass({ kind: "quiet", small: true })}
                  to={id}
                  aria-label={`${t("read")}: ${t("questionCount", { count: questions })}, ${dayOf(since)}`}
                >
                  {t("read")}
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
