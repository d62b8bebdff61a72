import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { OfflineError } from "../lib/api/errors.ts";
import { startSession } from "../lib/session/session.ts";
import { render, translations } from "../testing/render.tsx";
import { ErrorBoundary } from "./require-login-layout.tsx";

test("keeps the screen of a lost connection, with its countdown, when another try fails", async () => {
  startSession({ access: "access", refresh: "refresh" }, true);
  let loads = 0;
  const loader = () => {
    loads++;
    throw new OfflineError();
  };
  const { user, router } = render(<main />, [
    {
      path: "/:lang",
      ErrorBoundary,
      children: [{ path: "setting", element: <main />, loader }],
    },
  ]);
  await router.navigate("/en/setting");
  const heading = await screen.findByRole("heading", { name: translations.errorScreen.offline });
  const hasTried = (times: number) => () => loads >= times && router.state.revalidation === "idle";
  await expect.poll(hasTried(2)).toBe(true); // once more when it appears

  await user.click(screen.getByRole("button", { name: translations.errorScreen.again }));
  await expect.poll(hasTried(3)).toBe(true);

  // A new screen would try again at once, without its countdown.
  expect(screen.getByRole("heading", { name: translations.errorScreen.offline })).toBe(heading);
});
