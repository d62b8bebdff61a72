import type { ReactNode } from "react";
import { Link } from "react-router";
import { useTranslations } from "use-intl";
import { useQuotaTexts } from "../../features/prices/quota-texts.ts";
import { BackToSettings } from "../../layout/shell/back-to-settings.tsx";
import { PublicShell } from "../../layout/shell/shell.tsx";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { buttonClass } from "../../ui/button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { Icon } from "../../ui/icon.tsx";
import { CardArt, LeaveArt, LettersArt, LikeArt } from "./how-it-works-art.tsx";
import screenHeadStyles from "../../ui/styles/screen-head.module.css";
import styles from "./how-it-works.module.css";

/** Four steps, each with a promise that the privacy policy keeps. */
export default function HowItWorks() {
  const t = useTranslations("howItWorks");
  const base = useLanguagePath();
  const { freeCards } = useQuotaTexts();
  return (
    <PublicShell>
      <div className={classNames("stack-sm", styles.head)}>
        <div className={screenHeadStyles.head}>
          <BackToSettings />
          <h1>{t("title")}</h1>
        </div>
        <p className={classNames("muted", styles.lead)}>{t("lead")}</p>
      </div>
      <ol className={styles.steps}>
        <Step
          art={<CardArt />}
          title={t("card")}
          text={t("cardText", { cards: freeCards })}
          promise={t("cardPromise")}
        />
        <Step art={<LikeArt />} title={t("like")} text={t("likeText")} promise={t("likePromise")} />
        <Step
          art={<LettersArt />}
          title={t("letters")}
          text={t("lettersText")}
          promise={t("lettersPromise")}
        />
        <Step art={<LeaveArt />} title={t("leave")} text={t("leaveText")} promise={t("leavePromise")} />
      </ol>
      <section className={styles.more}>
        <p className="muted">{t("declared")}</p>
        <p>
          <Link to={`${base}/privacy-policy`}>{t("policy")}</Link>
        </p>
        <div className="for-visitors">
          <Link className={buttonClass({ block: true })} to={`${base}/sign-up`}>
            {t("createAccount")}
          </Link>
        </div>
      </section>
    </PublicShell>
  );
}

interface StepProps {
  art: ReactNode;
  title: string;
  text: string;
  promise: string;
}

function Step({ art, title, text, promise }: StepProps) {
  return (
    <li className={styles.step}>
      {art}
      <div className="stack-sm">
        <h2>{title}</h2>
        <p className="muted">{text}</p>
        <p className={styles.promise}>
          <Icon name="check" />
          <span>{promise}</span>
        </p>
      </div>
    </li>
  );
}
