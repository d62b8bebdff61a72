import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { render, translations } from "../../testing/render.tsx";
import { ErrorScreen, PlainErrorScreen } from "./error-screen.tsx";

const t = translations.errorScreen;

test("shows status and text of an error, and links home", () => {
  render(<ErrorScreen status={500} text="Error" />);

  expect(screen.getByText("500 · Error")).toBeTruthy();
  expect(screen.getByRole("heading", { name: t.title })).toBeTruthy();
  expect(screen.getByRole("link", { name: t.home }).getAttribute("href")).toBe("/en");
});

test("shows that there is no connection when the app is offline", () => {
  render(<ErrorScreen status={null} text="" isOffline />);

  expect(screen.getByRole("heading", { name: t.offline })).toBeTruthy();
  expect(screen.getByRole("button", { name: t.again })).toBeTruthy();
});

test("shows only status, text and a link when there may be no translations", () => {
  render(<PlainErrorScreen status={503} text="Service Unavailable" />);

  expect(screen.getByRole("heading", { name: "503 · Service Unavailable" })).toBeTruthy();
  expect(screen.getByRole("link").getAttribute("href")).toBe("/en");
});
