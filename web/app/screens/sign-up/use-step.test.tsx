import { screen } from "@testing-library/react";
import { useEffect } from "react";
import { expect, test } from "vitest";
import { useTabDraft } from "../../lib/forms/tab-draft.ts";
import { render } from "../../testing/render.tsx";
import { draft } from "./draft.ts";
import { useStep } from "./use-step.ts";

const shown: string[] = [];

function Steps() {
  const { step, goTo } = useStep(useTabDraft(draft), false);
  useEffect(() => void shown.push(step), [step]);
  const send = () => {
    draft.update({ sentAt: Date.now() });
    goTo("code");
  };
  return (
    <main>
      <form />
      <button onClick={send}>{step}</button>
    </main>
  );
}

/** A navigation ends in a later task, as with a request. */
const loader = () => new Promise((resolve) => setTimeout(resolve, 0, null));

test("opens the step of the code once, so that no typed code is lost", async () => {
  const { user, router } = render(<main />, [{ path: "/:lang/sign-up", element: <Steps />, loader }]);
  await router.navigate("/en/sign-up");

  await user.click(await screen.findByRole("button", { name: "email" }));
  await expect.poll(() => draft.get().step).toBe("code");
  await screen.findByRole("button", { name: "code" });

  expect(shown).toEqual(["email", "code"]);
  expect(router.state.location.state).toEqual({ step: "code", hasPrevious: true });
});
