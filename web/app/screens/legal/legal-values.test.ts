import { expect, test } from "vitest";
import { infoTexts } from "./info-texts.ts";
import { privacyPolicies, termsFor } from "./legal-texts.ts";
import { fillIn } from "./legal-values.ts";

test("knows a value for each name in braces", () => {
  for (const [language, info] of Object.entries(infoTexts)) {
    const texts = JSON.stringify([info, termsFor(language), privacyPolicies]);
    expect(fillIn(texts, (currency, amount) => `${currency}${amount}`)).not.toMatch(/undefined|\{\w+\}/);
  }
});
