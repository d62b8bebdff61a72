import type { Ref } from "react";
import { useFormatter, useTranslations } from "use-intl";
import type { PublicUser, RangeUnit } from "@alcove/contract/users";
import { Icon } from "../../ui/icon.tsx";
import { asSentence } from "./as-sentence.ts";
import styles from "./person.module.css";

interface PersonHeadProps {
  person: PublicUser;
  /** The level of the name. */
  heading: "h1" | "h2";
  nameRef?: Ref<HTMLHeadingElement>;
}

/** Name and age, one line of facts, and the purpose as a sentence. */
export function PersonHead({ person, heading: Heading, nameRef }: PersonHeadProps) {
  const t = useTranslations("profile");
  return (
    <>
      <div className={styles.head}>
        <div className={styles.name}>
          <Heading ref={nameRef} tabIndex={-1} className={styles.title} dir="auto">
            {person.username}
          </Heading>
          <span className={styles.age}>{t("ageBesideName", { age: String(person.age) })}</span>
        </div>
        <MetaLine person={person} />
      </div>
      {person.purpose !== null && (
        <p className={styles.purpose} dir="auto">
          {asSentence(person.purpose)}
        </p>
      )}
    </>
  );
}

/** Missing facts leave no gap. */
function MetaLine({ person }: { person: PublicUser }) {
  const t = useTranslations("profile");
  const distanceText = useDistanceText();
  const { distance, distance_unit, how_long_married, how_long_married_unit, icon_process } = person;
  if (distance === null && how_long_married === null && !icon_process) return null;
  return (
    <p className={styles.meta}>
      {distance !== null && <span>{t("within", { distance: distanceText(distance, distance_unit) })}</span>}
      {how_long_married !== null && (
        <span>{t(`married_${how_long_married_unit}`, { count: how_long_married })}</span>
      )}
      {icon_process && (
        <span className={styles.glass} title={t("processed")}>
          <Icon name="glass" />
          <span className="vh">{t("processed")}</span>
        </span>
      )}
    </p>
  );
}

/** Returns texts such as "25 km". */
export function useDistanceText(): (distance: number, unit: RangeUnit) => string {
  const t = useTranslations("profile");
  const format = useFormatter();
  return (distance, unit) => t(unit, { count: format.number(distance) });
}
