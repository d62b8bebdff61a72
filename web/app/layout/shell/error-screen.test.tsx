import { screen, waitFor } from "@testing-library/react";
import { useRouteError } from "react-router";
import { expect, test, vi } from "vitest";
import { ApiError, OfflineError } from "../../lib/api/errors.ts";
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
  render(<OfflineScreen />);

  expect(screen.getByRole("heading", { level: 1, name: t.offline })).toBeTruthy();
  expect(screen.getByRole("button", { name: t.again })).toBeTruthy();
  expect(
    await screen.findByText(translations.home.retryIn.replace("{seconds}", "9"), {}, { timeout: 3_000 }),
  ).toBeTruthy();
});

/** Shows a screen whose loader fails without a connection. Returns the loader. */
async function openOffline() {
  startSession({ access: "access", refresh: "refresh" }, true);
  const loader = vi.fn().mockRejectedValue(new OfflineError());
  const ErrorBoundary = () => <RouteError error={useRouteError()} />;
  const { router } = render(null, [{ path: "/:lang/offline", loader, element: null, ErrorBoundary }]);
  await router.navigate("/en/offline");
  await screen.findByRole("button", { name: t.again });
  return loader;
}

test("lets the app of a member try again, at once when the connection returned before the screen was shown", async () => {
  const loader = await openOffline();

  expect(screen.getByText(translations.home.retryIn.replace("{seconds}", "10"))).toBeTruthy();
  await waitFor(() => expect(loader).toHaveBeenCalledTimes(2));
});

test("tries again at once when the connection returns", async () => {
  using isOnline = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  const loader = await openOffline();
  await waitFor(() => expect(isOnline).toHaveBeenCalled()); // the screen listens from now on
  expect(loader).toHaveBeenCalledTimes(1);

  dispatchEvent(new Event("online"));

  await waitFor(() => expect(loader).toHaveBeenCalledTimes(2));
});

test("shows only status, text and a link when there may be no translations", () => {
  render(<PlainErrorScreen details={[503, "Service Unavailable"]} />);

  expect(screen.getByRole("heading", { name: "503 · Service Unavailable" })).toBeTruthy();
  expect(screen.getByRole("link").getAttribute("href")).toBe("/en");
});
