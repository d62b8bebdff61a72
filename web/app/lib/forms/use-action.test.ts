import { expect, test } from "vitest";
import { oneAtATime } from "./use-action.ts";

function button() {
  const shown: string[] = [];
  const run = oneAtATime((isBusy) => shown.push(isBusy ? "busy" : "free"));
  const press = (act: () => Promise<void>) =>
    run(act, (error) => shown.push(`error: ${(error as Error).message}`));
  return { shown, press };
}

test("runs an action once and stays busy until it is done when it is started twice", async () => {
  const { shown, press } = button();
  const response = Promise.withResolvers<void>();
  let sent = 0;
  const send = async () => {
    sent++;
    await response.promise;
  };

  const first = press(send);
  await press(send);
  expect(sent).toBe(1);
  expect(shown).toEqual(["busy"]);
  response.resolve();
  await first;

  expect(shown).toEqual(["busy", "free"]);
});

test("shows an error once and can run again when an action fails", async () => {
  const { shown, press } = button();

  await press(() => Promise.reject(new Error("no connection")));
  await press(() => Promise.resolve());

  expect(shown).toEqual(["busy", "error: no connection", "free", "busy", "free"]);
});
