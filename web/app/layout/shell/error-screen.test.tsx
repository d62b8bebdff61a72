import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { ApiError, MissingFileError, OfflineError } from "../../lib/api/errors.ts";
import { startSession } from "../../lib/session/session.ts";
import { render, translations } from "../../testing/render.tsx";
import { ErrorScreen, PlainErrorScreen } from "./error-screen.tsx";
import { OfflineScreen } from "./offline-screen.tsx";
import { RouteError } from "./route-error.tsx";

const t = translations.errorScreen;

test("shows status and text of an error, and links home", () => {
  render(<ErrorScreen details={[500, "Error"]} />);

  expect(screen.getByText("500 · Error")).toBeTruthy();
  expect(screen.getByRole("heading", { name: t.title })).toBeTruthy();
  expect(screen.getByRole("link", { name: t.home }).getAttribute("href")).toBe("/en");
});

test("does not blame the server for a limit", () => {
  const message = "That was too fast. Please wait a moment.";
  render(<RouteError error={new ApiError(429, { code: "too_many_requests", error_message: message })} />);

  expect(screen.getByRole("heading", { name: message })).toBeTruthy();
  expect(screen.queryByText(t.title)).toBeNull();
});

test("shows that there is no connection when the app is offline", () => {
  render(<ErrorScreen details={[]} isOffline />);

  expect(screen.getByRole("heading", { name: t.offline })).toBeTruthy();
  expect(screen.getByRole("button", { name: t.again })).toBeTruthy();
});

test("shows members that there is no connection, and counts down to the next try", async () => {
  render(<OfflineScreen isCodeMissing={false} />);

  expect(screen.getByRole("heading", { level: 1, name: t.offline })).toBeTruthy();
  expect(screen.getByRole("button", { name: t.again })).toBeTruthy();
  expect(
    await screen.findByText(translations.home.retryIn.replace("{seconds}", "9"), {}, { timeout: 3_000 }),
  ).toBeTruthy();
});

test.each([new OfflineError(), new MissingFileError()])(
  "lets the app of a member try again after a $name",
  (error) => {
    using tried = failingFetch();
    startSession({ access: "access", refresh: "refresh" }, true);

    render(<RouteError error={error} />);

    expect(screen.getByText(translations.home.retryIn.replace("{seconds}", "10"))).toBeTruthy();
    expect(tried).toHaveBeenCalledTimes(error instanceof MissingFileError ? 1 : 0);
  },
);

test("tries again at once when the connection returned before the screen was shown", () => {
  using tried = failingFetch();

  render(<OfflineScreen isCodeMissing />);

  expect(tried).toHaveBeenCalledOnce();
});

test("tries again at once when the connection returns", () => {
  using tried = failingFetch();
  using isOnline = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  render(<OfflineScreen isCodeMissing />);
  expect(isOnline).toHaveBeenCalled();
  expect(tried).not.toHaveBeenCalled();

  dispatchEvent(new Event("online"));

  expect(tried).toHaveBeenCalledOnce();
});

function failingFetch() {
  return vi.spyOn(globalThis, "fetch").mockRejectedValue(new TypeError("no connection"));
}

test("shows only status, text and a link when there may be no translations", () => {
  render(<PlainErrorScreen details={[503, "Service Unavailable"]} />);

  expect(screen.getByRole("heading", { name: "503 · Service Unavailable" })).toBeTruthy();
  expect(screen.getByRole("link").getAttribute("href")).toBe("/en");
});
