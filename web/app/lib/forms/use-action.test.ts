import { expect, test } from "vitest";
import { oneAtATime } from "./use-action.ts";

function button() {
  const seen: string[] = [];
  const run = oneAtATime((isBusy) => seen.push(isBusy ? "busy" : "free"));
  const press = (act: () => Promise<void>) =>
    run(act, (error) => seen.push(`told ${(error as Error).message}`));
  return { seen, press };
}

test("what is pressed twice is done once, and the button is busy until it is done", async () => {
  const { seen, press } = button();
  const answer = Promise.withResolvers<void>();
  let sent = 0;
  const send = async () => {
    sent++;
    await answer.promise;
  };

  const first = press(send);
  await press(send);
  expect(sent).toBe(1);
  expect(seen).toEqual(["busy"]);
  answer.resolve();
  await first;

  expect(seen).toEqual(["busy", "free"]);
});

test("what fails is told once, and can be tried again", async () => {
  const { seen, press } = button();

  await press(() => Promise.reject(new Error("no connection")));
  await press(() => Promise.resolve());

  expect(seen).toEqual(["busy", "told no connection", "free", "busy", "free"]);
});
