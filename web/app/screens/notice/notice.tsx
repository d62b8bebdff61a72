import { useEffect, useRef, useState } from "react";
import type { ActionFunctionArgs } from "react-router";
import { useTranslations } from "use-intl";
import { sendNotice } from "@alcove/contract/notices";
import { parseFields } from "@alcove/contract/fields";
import { botToken } from "../../features/bot-check/bot-check.ts";
import { BackToSettings } from "../../layout/shell/back-to-settings.tsx";
import { PublicShell } from "../../layout/shell/shell.tsx";
import { api } from "../../lib/api/api.ts";
import { readWithFiles } from "../../lib/forms/form-files.ts";
import { actionResult, formResult } from "../../lib/forms/form-result.ts";
import { Button } from "../../ui/button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { Icon } from "../../ui/icon.tsx";
import cardStyles from "../../ui/styles/card.module.css";
import screenHeadStyles from "../../ui/styles/screen-head.module.css";
import { NoticeForm, type SentNotice } from "./notice-form.tsx";
import styles from "./notice.module.css";

export async function action({ request }: ActionFunctionArgs) {
  const form = await readWithFiles(request);
  const parsed = parseFields(sendNotice.input, Object.fromEntries(form));
  if (!parsed.ok) return actionResult({ ok: false, problems: parsed.errors, error: null });
  const notice = parsed.value;
  const result = await formResult<SentNotice>(async () => {
    const recaptchaToken = await botToken("Notice");
    // The proof precedes the file.
    const { file, ...fields } = notice;
    const { number } = await api(sendNotice, {
      ...fields,
      recaptchaAction: "Notice",
      recaptchaToken,
      ...(file && { file }),
    });
    return { number, email: notice.email };
  });
  return actionResult(result);
}

/** For anybody, without an account. It never shows whether a person or picture is here. */
export default function NoticeScreen() {
  const t = useTranslations("notice");
  const [sent, setSent] = useState<SentNotice | null>(null);
  return (
    <PublicShell>
      <div className={classNames("stack-sm", styles.head)}>
        <div className={screenHeadStyles.head}>
          <BackToSettings />
          <h1>{t("title")}</h1>
        </div>
        <p className="muted">{t("lead")}</p>
      </div>
      <div className={styles.notice}>
        <section className={classNames(cardStyles.card, "stack")}>
          {sent ? <Sent {...sent} onAnother={() => setSent(null)} /> : <NoticeForm onSent={setSent} />}
        </section>
        <section className="stack-sm">
          <h2 className={styles.heading}>{t("after")}</h2>
          <p>{t("afterTime")}</p>
          <p>{t("afterAnswer")}</p>
          <p className="muted">{t("afterPerson")}</p>
        </section>
      </div>
    </PublicShell>
  );
}

function Sent({ number, email, onAnother }: SentNotice & { onAnother: () => void }) {
  const t = useTranslations("notice");
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current!.focus(), []);
  return (
    <div className="stack">
      <h2 className={styles.sent} ref={heading} tabIndex={-1}>
        <Icon name="check" /> {t("sent")}
      </h2>
      <p>
        {t("number")}: <strong className="num">{number}</strong>
      </p>
      <p className="muted">{t("sentText", { email })}</p>
      <Button kind="quiet" onClick={onAnother}>
        {t("another")}
      </Button>
    </div>
  );
}
