import { Fragment } from "react";
import { useTranslations } from "use-intl";
import { settings } from "../../lib/page/settings.ts";
import { classNames } from "../../ui/class-names.ts";
import keyValuesStyles from "../../ui/styles/key-values.module.css";
import styles from "./operator-details.module.css";

/** The server fills these texts into the built pages, in the language of each. */
const PLACEHOLDERS = {
  name: "__OPERATOR_NAME_TEXT__",
  address: "__OPERATOR_ADDRESS_TEXT__",
  phone: "__OPERATOR_PHONE_TEXT__",
};

function useNeededTexts(): typeof PLACEHOLDERS {
  const t = useTranslations("operator");
  if (typeof document === "undefined") return PLACEHOLDERS;
  const unstated = t(settings.operatorUnstated);
  return {
    name: settings.operatorName || unstated,
    address: settings.operatorAddress || unstated,
    phone: settings.operatorPhone || unstated,
  };
}

/** Name and address of the operator. The style sheet hides an optional row without a value, because pages are built before it is known. */
export function OperatorDetails() {
  const t = useTranslations("operator");
  const { name, address, phone } = useNeededTexts();
  const { supportEmail, operatorRegister, operatorTaxId, operatorRepresentative } = settings;
  const optional = [
    [t("register"), operatorRegister],
    [t("taxId"), operatorTaxId],
    [t("representative"), operatorRepresentative],
  ] as const;
  return (
    <dl className={classNames(keyValuesStyles.keyValues, styles.details)}>
      <dt>{t("name")}</dt>
      <dd>{name}</dd>
      <dt>{t("address")}</dt>
      <dd>{address}</dd>
      <dt>{t("phone")}</dt>
      <dd>{phone}</dd>
      <dt>{t("email")}</dt>
      <dd>
        <a href={`mailto:${supportEmail}`}>{supportEmail}</a>
      </dd>
      {optional.map(([label, value]) => (
        <Fragment key={label}>
          <dt data-value={value}>{label}</dt>
          <dd data-value={value}>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
