import { signUpForm } from "@alcove/test-services/fixtures";
import { type InputMethod, mouse } from "../../actions/input-method.ts";
import { sharePosition } from "../../actions/open-as-member.ts";
import {
  choosePicture,
  fillInAbout,
  fillInSignIn,
  goOn,
  logInOnScreen,
  requestCode,
} from "../../actions/sign-up.ts";
import { expect, test } from "../../fixtures/test.ts";

/** Counts the steps of a newcomer. Taps into fields and system dialogs are no effort. */
function countingMouse() {
  const counts = { inputs: 0, ticks: 0, taps: 0 };
  const input: InputMethod = {
    async press(target) {
      counts.taps++;
      await mouse.press(target);
    },
    async type(target, text) {
      counts.inputs++;
      await mouse.type(target, text);
    },
    async choose(target, label) {
      counts.inputs++;
      await mouse.choose(target, label);
    },
    async tick(target) {
      if ((await target.getAttribute("type")) === "radio") counts.taps++;
      else counts.ticks++;
      await mouse.tick(target);
    },
  };
  return { input, counts };
}

test("takes at most 12 inputs, two ticks and 14 taps from the landing to the first card", async ({
  visit,
  member,
  mailbox,
  place,
}) => {
  await member("first-card-taro", { sex: "male", username: "Taro", at: place });
  const visitor = await visit({ device: "phone", at: place });
  const { page, t } = visitor;
  const user = signUpForm("first-card");
  const { input, counts } = countingMouse();
  const started = Date.now();
  await visitor.open("");

  await input.press(page.getByRole("link", { name: t.login.createAccount }));
  await requestCode(visitor, input, user.email);
  const { code } = await mailbox.waitForEmail(user.email);
  await input.type(page.getByLabel(t.codes.code), code!);
  await choosePicture(visitor, input);
  counts.inputs++; // the picture
  await input.press(page.getByRole("button", { name: t.crop.confirm }));
  await goOn(visitor, input, "signInTitle");
  await fillInSignIn(visitor, input, user);
  await goOn(visitor, input, "aboutTitle");
  await fillInAbout(visitor, input, user);
  await goOn(visitor, input, "meetTitle");
  await input.tick(page.getByRole("radio", { name: t.profileForm.men, exact: true }));
  await input.press(page.getByRole("button", { name: t.signUp.create }));
  await expect(page.getByText(t.signUp.done)).toBeVisible();
  await logInOnScreen(visitor, input, user);
  await sharePosition(visitor, input);

  await expect(page.getByRole("article", { name: "Taro" })).toBeVisible();
  const seconds = (Date.now() - started) / 1_000;
  test.info().annotations.push({ type: "effort", description: JSON.stringify({ ...counts, seconds }) });
  expect(counts.inputs).toBeLessThanOrEqual(12);
  expect(counts.ticks).toBe(2);
  expect(counts.taps).toBeLessThanOrEqual(14);
});
