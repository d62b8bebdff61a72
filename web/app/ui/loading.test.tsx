import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { render, translations } from "../testing/render.tsx";
import { LoadingStatus } from "./loading.tsx";

test("a loading status is announced", () => {
  render(<LoadingStatus />);

  expect(screen.getByRole("status").textContent).toBe(translations.ui.loading);
});
