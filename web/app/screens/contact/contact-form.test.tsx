import { existsSync } from "node:fs";
import { join } from "node:path";
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { render, translations } from "../../testing/render.tsx";
import { ContactForm } from "./contact-form.tsx";

test("links the notices of other software, which the app contains", () => {
  render(<ContactForm />);

  const path = screen.getByRole("link", { name: translations.contact.notices }).getAttribute("href")!;
  expect(existsSync(join(import.meta.dirname, "../../../public", path))).toBe(true);
});
