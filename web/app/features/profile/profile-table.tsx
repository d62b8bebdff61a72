import type { ReactNode } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { socialLinks, type PublicUser } from "@alcove/contract/users";
import { parseWebUrl } from "@alcove/contract/web-url";
import { settings } from "../../lib/settings.ts";
import { toFeet } from "../../lib/units.ts";
import { ExternalLink } from "../../ui/external-link.tsx";

const NAMES = { twitter: "X (Twitter)", instagram: "Instagram", facebook: "Facebook", line: "LINE" } as const;

/** Shows the age always and other rows only if they are filled. */
export function ProfileTable({ person }: { person: PublicUser }) {
  const t = useTranslations("profile");
  const format = useFormatter();
  const links = socialLinks.flatMap((name) => {
    const to = parseWebUrl(person[name] ?? "");
    return to ? [{ name, to }] : [];
  });
  const rows: [string, ReactNode][] = [[t("age"), person.age]];
  const add = (label: string, value: ReactNode) =>
    value !== null && value !== false && rows.push([label, value]);
  add(
    t("distance"),
    person.distance !== null &&
      t("within", { distance: format.number(person.distance), unit: unitWord(person) }),
  );
  add(
    t("married"),
    person.how_long_married !== null &&
      t(`for_${person.how_long_married_unit}`, { count: person.how_long_married }),
  );
  add(t("height"), heightOf(person, t));
  add(
    t("weight"),
    person.weight !== null &&
      `${format.number(person.weight)} ${person.weight_unit === "kg" ? "kg" : t("pounds")}`,
  );
  add(
    t("salary"),
    person.salary !== null &&
      t(`salary_${person.salary_duration}`, {
        amount: `${format.number(person.salary)} ${person.salary_unit}`,
      }),
  );
  add(t("purpose"), person.purpose);
  add(t("hobby"), person.hobby);
  return (
    <dl className="kv">
      {rows.map(([label, value]) => (
        <Row key={label} label={label}>
          {value}
        </Row>
      ))}
      {links.map(({ name, to }) => (
        <Row key={name} label={NAMES[name]}>
          <ExternalLink to={to} brand={settings.brandName}>
            {to.href.replace(/^https?:\/\/(www\.)?/, "")}
          </ExternalLink>
        </Row>
      ))}
    </dl>
  );
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  );
}

function unitWord(person: PublicUser): string {
  return person.distance_unit === "km" ? "km" : "mi";
}

function heightOf(person: PublicUser, t: ReturnType<typeof useTranslations<"profile">>): string | null {
  if (person.tall === null) return null;
  if (person.tall_unit === "cm") return `${person.tall} cm`;
  const { feet, inches } = toFeet(person.tall);
  return t("feetInches", { feet, inches });
}
