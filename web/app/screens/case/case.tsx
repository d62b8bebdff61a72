import { type ActionFunctionArgs, Link, useLoaderData, useNavigate, useRevalidator } from "react-router";
import { useTranslations } from "use-intl";
import { appealCase, getCase, type OwnCase } from "@alcove/contract/cases";
import { Shell } from "../../layout/shell/shell.tsx";
import { api } from "../../lib/api/api.ts";
import { serverNow } from "../../lib/dates-and-units/server-clock.ts";
import { dayText, momentText } from "../../lib/dates-and-units/dates.ts";
import { pickErrors } from "../../lib/forms/form.ts";
import { actionResult } from "../../lib/forms/form-result.ts";
import { submitForm } from "../../lib/forms/submit-form.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { useForm } from "../../lib/forms/use-form.ts";
import { banner } from "../../lib/page/banner.ts";
import { hasPurchases } from "../../lib/page/purchases.ts";
import { endSession } from "../../lib/session/end-session.ts";
import { isForCase } from "../../lib/session/session.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { BackToSettings } from "../../layout/shell/back-to-settings.tsx";
import { Button, buttonClass } from "../../ui/button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { Empty } from "../../ui/empty.tsx";
import { TextArea } from "../../ui/forms/field.tsx";
import { Form } from "../../ui/forms/form.tsx";
import { Icon } from "../../ui/icon.tsx";
import cardStyles from "../../ui/styles/card.module.css";
import listStyles from "../../ui/styles/list.module.css";
import noteStyles from "../../ui/styles/note.module.css";
import screenHeadStyles from "../../ui/styles/screen-head.module.css";
import styles from "./case.module.css";

export async function loader() {
  return { ...(await api(getCase, {})), isSuspended: isForCase() };
}

export async function action({ request }: ActionFunctionArgs) {
  return actionResult(await submitForm(appealCase, await request.formData()));
}

export { reloadWhenDone as shouldRevalidate } from "../../lib/forms/submit-form.ts";

/** What operators decided about the member. A suspended member sees nothing else. */
export default function CaseScreen() {
  const { cases, isSuspended } = useLoaderData<typeof loader>();
  const t = useTranslations("caseRoom");
  const ts = useTranslations("settings");
  const [newest, ...earlier] = cases;
  const open = cases.find(({ can_appeal }) => can_appeal);
  return (
    <Shell
      width="form"
      hasMenu={!isSuspended}
      hasFooter={isSuspended}
      layout={isSuspended ? undefined : "detail"}
    >
      <div className="stack-lg">
        <div className={screenHeadStyles.head}>
          {!isSuspended && <BackToSettings />}
          <h1>{isSuspended ? t("title") : ts("decisions")}</h1>
        </div>
        {newest ? (
          <Decision decision={newest} takesAppeal={newest === open} />
        ) : (
          <Empty title={t("none")} text={t("noneText")} />
        )}
        {isSuspended && <Threatened />}
        {isSuspended && <StillOpen />}
        {earlier.length > 0 && (
          <section className="stack">
            <h2>{t("earlier")}</h2>
            {earlier.map((decision) => (
              <Decision
                key={`${decision.number} ${decision.decided_on}`}
                decision={decision}
                takesAppeal={decision === open}
              />
            ))}
          </section>
        )}
      </div>
    </Shell>
  );
}

function Decision({ decision: one, takesAppeal }: { decision: OwnCase; takesAppeal: boolean }) {
  const t = useTranslations("caseRoom");
  const { decision, facts, until, appeal } = one;
  const isFreeze = decision === "freeze";
  const untilText = (at: Date) => {
    if (!isFreeze) return t("until", { at: dayText(at) });
    return at.getTime() <= serverNow() ? t("frozenOver") : t("frozen", { at: momentText(at) });
  };
  return (
    <>
      <section className={classNames(cardStyles.card, "stack")}>
        {decision !== "none" && <h2>{t(decision)}</h2>}
        {until !== null && !one.is_reversed && <p>{untilText(new Date(until))}</p>}
        <p>{facts}</p>
        <p className="hint">
          {t(isFreeze ? "frozenHow" : "byPerson")}
          <br />
          {!isFreeze && `${t("decidedOn", { day: one.decided_on.replaceAll("-", "/") })} · `}
          {t("number", { number: one.number })}
        </p>
        {one.is_reversed && <Note>{t("reversed")}</Note>}
        {appeal !== null && (
          <div className="stack-sm">
            <h3>{t("yourText")}</h3>
            <p className={styles.quote}>{appeal.text}</p>
            {appeal.state !== "reversed" && <Note>{t(appeal.state)}</Note>}
          </div>
        )}
      </section>
      {takesAppeal && <AppealForm />}
    </>
  );
}

function Note({ children }: { children: string }) {
  return (
    <div className={noteStyles.note} role="status">
      <Icon name="info" />
      <p>{children}</p>
    </div>
  );
}

function AppealForm() {
  const t = useTranslations("caseRoom");
  const { revalidate } = useRevalidator();
  const form = useForm<unknown>({
    check: (fields) => pickErrors(appealCase, fields, ["text"]),
    async onDone() {
      banner.notify("caseRoom.sent");
      await revalidate();
    },
  });
  return (
    <section className="stack">
      <h2>{t("appealTitle")}</h2>
      <p className="muted">{t("appealText")}</p>
      <Form {...form.props} className="stack">
        <TextArea label={t("appealLabel")} name="text" rows={5} required {...form.errorsOf("text")} />
        <Button type="submit" block busy={form.isBusy}>
          {t("send")}
        </Button>
      </Form>
    </section>
  );
}

/** A member reported first can report too. */
function Threatened() {
  const t = useTranslations("caseRoom");
  const tSafety = useTranslations("safety");
  const base = useLanguagePath();
  return (
    <section className="stack">
      <h2>{t("reportTitle")}</h2>
      <p>{t("reportText")}</p>
      <Link className={buttonClass({ kind: "quiet", block: true })} to={`${base}/threat`}>
        <Icon name="alert" small />
        {tSafety("threat")}
      </Link>
    </section>
  );
}

function StillOpen() {
  const t = useTranslations("caseRoom");
  const ts = useTranslations("settings");
  const base = useLanguagePath();
  const navigate = useNavigate();
  const logout = useAction(async () => {
    const ending = endSession();
    await navigate(`${base}/login`, { replace: true });
    await ending;
  });
  const links = [
    ...(hasPurchases() ? ([["receipt", `${base}/purchase-history`, ts("purchaseHistory")]] as const) : []),
    ["download", `${base}/setting/export`, ts("export")],
    ["trash", `${base}/setting/delete-account`, ts("deleteAccount")],
  ] as const;
  return (
    <section className="stack">
      <h2>{t("stillOpen")}</h2>
      <ul className={listStyles.list}>
        {links.map(([icon, to, label]) => (
          <li key={to}>
            <Link className={listStyles.row} to={to}>
              <Icon name={icon} />
              <span>{label}</span>
              <Icon name="next" />
            </Link>
          </li>
        ))}
      </ul>
      <Button kind="ghost" block busy={logout.isBusy} onClick={logout.start}>
        {ts("logout")}
      </Button>
    </section>
  );
}
