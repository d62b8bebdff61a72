import { screen } from "@testing-library/react";
import { expect, onTestFinished, test } from "vitest";
import { allTranslations } from "@alcove/i18n/all";
import { device } from "../../device/browser.ts";
import { render, translations } from "../../testing/render.tsx";
import { Questions } from "./questions.tsx";

test.each([
  ["the app, which has no Google login, does not speak", true],
  ["the web app speaks", false],
])("the help of %s of Google", (_, isNative) => {
  const { isNative: inBrowser } = device;
  device.isNative = () => isNative;
  onTestFinished(() => void (device.isNative = inBrowser));

  render(<Questions />);

  expect(screen.queryAllByText(/Google/)).toHaveLength(isNative ? 0 : 1);
});

test("the help explains the order of cards in three sentences of each language", () => {
  render(<Questions />);

  const question = screen.getByText(translations.contact.orderQ);
  expect(question.closest("details")?.textContent).toContain(translations.contact.orderA);
  for (const { contact } of Object.values(allTranslations))
    expect(contact.orderA.match(/[.。]/g), contact.orderA).toHaveLength(3);
});
