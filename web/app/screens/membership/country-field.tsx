import { useTranslations } from "use-intl";
import { type Regions, regionsToChoose } from "@alcove/contract/regions";
import type { Language } from "@alcove/i18n";
import { SelectField } from "../../ui/forms/field.tsx";
import { useCountryText } from "./country.ts";

interface CountryFieldProps {
  language: Language;
  regions: Regions;
  country: string;
  onChange: (country: string) => void;
}

export function CountryField({ language, regions, country, onChange }: CountryFieldProps) {
  const t = useTranslations("membership");
  const countryText = useCountryText(language);
  const collator = new Intl.Collator(language);
  const choices = regionsToChoose(regions)
    .map((region) => [region, countryText(region)] as const)
    .sort(([, a], [, b]) => collator.compare(a, b));
  return (
    <SelectField
      label={t("country")}
      hint={t("countryHint")}
      name="country"
      autoComplete="country"
      choices={choices}
      value={country}
      onChange={({ currentTarget: { value } }) => onChange(value)}
    />
  );
}
