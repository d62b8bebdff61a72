import type { Locator } from "@playwright/test";
import type { Visitor } from "../fixtures/test.ts";

export function alertWith({ page }: Visitor, text: string): Locator {
  return page.getByRole("alert").filter({ hasText: text });
}
