import { Fragment } from "react";
import { useFormatter, useTranslations } from "use-intl";
import type { PublicUser } from "@alcove/contract/users";
import { useMoneyText } from "../../lib/dates-and-units/money.ts";
import { toFeet } from "../../lib/dates-and-units/units.ts";
import { classNames } from "../../ui/class-names.ts";
import keyValuesStyles from "../../ui/styles/key-values.module.css";
import styles from "./person.module.css";

/** Shows the age always, last because it stands beside the name too, and other rows only if they are filled. */
export function PersonFacts({ person }: { person: PublicUser }) {
  const t = useTranslations("profile");
  const format = useFormatter();
  const moneyText = useMoneyText();
  const rows: [label: string, value: string | null][] = [
    [t("height"), heightOf(person, t)],
    [
      t("weight"),
      person.weight === null
        ? null
        : `${format.number(person.weight)} ${person.weight_unit === "kg" ? "kg" : t("pounds")}`,
    ],
    [
      t(`salaryLabel_${person.salary_duration}`),
      person.salary === null
        ? null
        : t(`salary_${person.salary_duration}`, {
            amount: moneyText(person.salary_unit, person.salary),
          }),
    ],
    [t("hobby"), person.hobby],
    [t("age"), t("ageValue", { age: String(person.age) })],
  ];
  return (
    <dl className={classNames(keyValuesStyles.keyValues, styles.quiet)}>
      {rows.map(
        ([label, value]) =>
          value !== null && (
            <Fragment key={label}>
              <dt>{label}</dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </Fragment>
          ),
      )}
    </dl>
  );
}

function heightOf(person: PublicUser, t: ReturnType<typeof useTranslations<"profile">>): string | null {
  if (person.tall === null) return null;
  if (person.tall_unit === "cm") return `${person.tall} cm`;
  const { feet, inches } = toFeet(person.tall);
  return t("feetInches", { feet, inches });
}
