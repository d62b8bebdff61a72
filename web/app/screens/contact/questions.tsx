import { useTranslations } from "use-intl";
import { device } from "../../device/browser.ts";
import { settings } from "../../lib/page/settings.ts";
import { Icon } from "../../ui/icon.tsx";
import styles from "./contact.module.css";

/** Frequent questions, which open without a script. */
export function Questions() {
  const t = useTranslations("contact");
  const names = {
    neverSee: useTranslations("settings")("neverSee"),
    deleteAccount: useTranslations("settings")("deleteAccount"),
    forgot: useTranslations("login")("forgot"),
    report: useTranslations("chat")("report"),
    notification: useTranslations("notifications")("somethingNew"),
  };
  const { brandName: brand, statementText } = settings;
  const groups: [heading: string, questions: [question: string, answer: string][]][] = [
    [
      t("discretion"),
      [
        [t("statementQ"), t("statementA", { text: statementText })],
        [t("notificationsQ"), t("notificationsA", { brand, text: names.notification })],
        [t("findQ"), t("findA", names)],
        [t("hideQ"), t("hideA")],
        [t("installQ"), t("installA", { brand })],
      ],
    ],
    [t("cards"), [[t("orderQ"), t("orderA")]]],
    [
      t("account"),
      [
        [t("cancelQ"), t("cancelA")],
        [t("deleteQ"), t("deleteA", names)],
        [t("loginQ"), t(device.isNative() ? "loginAppA" : "loginA", names)],
      ],
    ],
    [
      t("safety"),
      [
        [t("reportQ"), t("reportA", names)],
        [t("meetQ"), t("meetA")],
      ],
    ],
  ];
  return (
    <div className="stack-lg">
      {groups.map(([heading, questions], group) => (
        <section className="stack-sm" key={heading}>
          <h2 className={styles.heading}>{heading}</h2>
          <div className={styles.questions}>
            {questions.map(([question, answer], index) => (
              <details key={question} open={group === 0 && index === 0}>
                <summary>
                  {question}
                  <Icon name="next" />
                </summary>
                <p>{answer}</p>
              </details>
            ))}
          </div>
        </section>
      ))}
    </div>
  );
}
