import { useLoaderData, type LoaderFunctionArgs } from "react-router";
import { useTranslations } from "use-intl";
import { getThreatEvidence, REPORT_NUMBER } from "@alcove/contract/safety";
import { device } from "../../device/browser.ts";
import { Shell } from "../../layout/shell/shell.tsx";
import { api } from "../../lib/api/api.ts";
import { ApiError } from "../../lib/api/errors.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { banner } from "../../lib/page/banner.ts";
import { saveText } from "../../ui/save-text.ts";
import { settings } from "../../lib/page/settings.ts";
import { isForCase } from "../../lib/session/session.ts";
import { Button } from "../../ui/button.tsx";
import { classNames } from "../../ui/class-names.ts";
import cardStyles from "../../ui/styles/card.module.css";
import styles from "./threat.module.css";

export function loader({ params }: LoaderFunctionArgs) {
  const number = params["number"] ?? "";
  if (!REPORT_NUMBER.test(number)) throw new Response(null, { status: 404 });
  return { number, isSuspended: isForCase() };
}

/** The number, and the sheet for the police, which prints alone. */
export default function ThreatNumberScreen() {
  const { number, isSuspended } = useLoaderData<typeof loader>();
  const t = useTranslations("threat");
  return (
    <Shell hasMenu={!isSuspended} hasFooter={false} width="form">
      <div className="stack-lg">
        <div className={classNames("stack", styles.notPrinted)}>
          <h1>{t("done")}</h1>
          <p>{t("doneText")}</p>
          <section className={classNames(cardStyles.card, "stack-sm")}>
            <h2>{t("number")}</h2>
            <p className={classNames("num", styles.number)}>{number}</p>
            {!isSuspended && <p className="hint">{t("numberHint")}</p>}
          </section>
          <Proof number={number} />
          <h2>{t("police")}</h2>
          <p className="muted">{t("policeText")}</p>
        </div>
        <PoliceSheet number={number} />
      </div>
    </Shell>
  );
}

function Proof({ number }: { number: string }) {
  const t = useTranslations("threat");
  const save = useAction(async () => {
    try {
      saveText((await api(getThreatEvidence, { number })).file, `${number}.txt`);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error;
      banner.notify("threat.proofNotYet");
    }
  });
  return (
    <section className="stack-sm">
      <h2>{t("proof")}</h2>
      <p>{t("proofText")}</p>
      <Button kind="quiet" busy={save.isBusy} onClick={save.start}>
        {t("proofSave")}
      </Button>
    </section>
  );
}

/** It names nothing of the service's purpose. */
function PoliceSheet({ number }: { number: string }) {
  const t = useTranslations("threat");
  const facts = [
    [t("matter"), t("matterText")],
    [t("service"), serviceText()],
    [t("reference"), number],
    [t("askService"), t("askServiceText")],
    [t("askBank"), t("askBankText")],
    [t("askOthers"), t("askOthersText")],
  ] as const;
  const own = [
    [t("mine"), t("mineText")],
    [t("contact"), ""],
  ] as const;
  const text = () =>
    [t("sheet"), ...[...facts, ...own].map(([title, words]) => `${title}:\n${words}`)].join("\n\n");
  const copy = useAction(async () => {
    await navigator.clipboard.writeText(text());
    banner.notify("threat.copied");
  });
  return (
    <>
      <article className={classNames(cardStyles.card, styles.sheet)}>
        <h2>{t("sheet")}</h2>
        {facts.map(([title, words]) => (
          <div key={title}>
            <h3>{title}</h3>
            <p className={styles.words}>{words}</p>
          </div>
        ))}
        {own.map(([title, words]) => (
          <div key={title}>
            <h3>{title}</h3>
            <p className={styles.line}>{words}</p>
          </div>
        ))}
      </article>
      <div className={classNames("stack-sm", styles.notPrinted)}>
        {!device.isNative() && (
          <>
            <Button block onClick={() => print()}>
              {t("print")}
            </Button>
            <Button block kind="quiet" onClick={() => saveText(text(), `${number}-sheet.txt`)}>
              {t("save")}
            </Button>
          </>
        )}
        <Button block kind="quiet" busy={copy.isBusy} onClick={copy.start}>
          {t("copy")}
        </Button>
      </div>
    </>
  );
}

const serviceText = (): string =>
  [settings.brandName, settings.operatorName, settings.operatorAddress, settings.supportEmail]
    .filter(Boolean)
    .join("\n");
