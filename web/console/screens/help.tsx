import { useLoaderData, useRevalidator } from "react-router";
import { getHelpQueue } from "@alcove/contract/console-help";
import { Button } from "../../app/ui/button.tsx";
import { Empty } from "../../app/ui/empty.tsx";
import listStyles from "../../app/ui/styles/list.module.css";
import { api } from "../api.ts";
import { Heading } from "../frame.tsx";
import { dayOf, QueueRow } from "../parts.tsx";
import { useTexts } from "../texts/use-texts.ts";

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
              <QueueRow
                key={id}
                id={id}
                action={t("read")}
                about={`${t("questionCount", { count: questions })}, ${dayOf(since)}`}
              >
                {t("questionCount", { count: questions })}
                <span className="hint num">{t("waitsSince", { day: dayOf(since) })}</span>
              </QueueRow>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
