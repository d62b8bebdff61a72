import { act, render, screen, waitFor } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { expect, test } from "vitest";
import { useSettings } from "./use-settings.ts";

function Digest() {
  const { values, save } = useSettings({ digest: "no" });
  return (
    <button type="button" onClick={() => save({ digest: values.digest === "yes" ? "no" : "yes" })}>
      {values.digest}
    </button>
  );
}

test("saves a change after one whose request ended before the page rendered again", async () => {
  const sent: string[] = [];
  const action = async ({ request }: { request: Request }) => {
    sent.push((await request.formData()).get("digest") as string);
    return { ok: true, value: null };
  };
  const router = createMemoryRouter([{ path: "/", element: <Digest />, action }]);
  render(<RouterProvider router={router} />);
  const change = () => screen.getByRole("button").click();

  // Within `act`, React renders at its end only.
  await act(async () => {
    change();
    await expect.poll(() => sent).toEqual(["yes"]);
    await expect
      .poll(() => [...router.state.fetchers.values()].every(({ state }) => state === "idle"))
      .toBe(true);
  });
  change();

  await waitFor(() => expect(sent).toEqual(["yes", "yes"]));
});
