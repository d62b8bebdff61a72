import { expect, type Page } from "@playwright/test";
import { LOGIN_REDIRECT_MS } from "@alcove/contract/times";
import type { signUpForm } from "@alcove/test-services/fixtures";
import type { Mailbox } from "@alcove/test-services/mail";
import { drawPicture } from "../fixtures/pictures.ts";
import type { InputMethod } from "./input-method.ts";
import type { Visitor } from "../fixtures/test.ts";
import { formatText } from "../fixtures/translations.ts";

/** The parts of the sample form that these actions type. */
export type NewUser = Pick<
  ReturnType<typeof signUpForm>,
  "userId" | "email" | "password" | "username" | "sex" | "date_of_birth" | "description"
>;

/** Opens the sign-up and completes it. */
export async function signUpOnScreen(
  visitor: Visitor,
  input: InputMethod,
  mailbox: Mailbox,
  user: NewUser,
): Promise<void> {
  await visitor.open("/sign-up");
  await completeSignUp(visitor, input, mailbox, user);
}

/** Signs up in three steps, with the code of the email that arrives. Ends at the login. */
export async function completeSignUp(
  visitor: Visitor,
  input: InputMethod,
  mailbox: Mailbox,
  user: NewUser,
): Promise<void> {
  const { page, t } = visitor;
  await requestCode(visitor, input, user.email);
  await enterCode(visitor, input, mailbox, user.email);
  await fillInProfile(visitor, input, user);
  await input.press(page.getByRole("button", { name: t.signUp.create }));
  await expect(page.getByText(t.signUp.done)).toBeVisible();
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByLabel(t.login.userId)).toHaveValue(user.userId);
  await expect(page.getByLabel(t.login.password, { exact: true })).toBeFocused();
}

/** Completes the first step: email address and agreements. */
export async function requestCode(
  { page, t }: Pick<Visitor, "page" | "t">,
  input: InputMethod,
  email: string,
): Promise<void> {
  const { signUp } = t;
  await input.type(page.getByLabel(t.codes.email, { exact: true }), email);
  const sendCode = page.getByRole("button", { name: t.codes.send });
  await expect(sendCode).toBeDisabled();
  await input.tick(page.getByRole("checkbox", { name: formatText(signUp.agreePrivacy) }));
  await expect(sendCode).toBeDisabled();
  await input.tick(page.getByRole("checkbox", { name: formatText(signUp.agreeTerms) }));
  await input.press(sendCode);
  await expect(page.getByRole("heading", { name: t.codes.title })).toBeVisible();
}

/** Completes the second step with the code of the email. The last digit submits it. */
export async function enterCode(
  { page, t }: Visitor,
  input: InputMethod,
  mailbox: Mailbox,
  email: string,
): Promise<void> {
  const { code } = await mailbox.waitForEmail(email);
  await input.type(page.getByLabel(t.codes.code), code!);
  await expect(page.getByRole("heading", { name: t.signUp.pictureTitle })).toBeVisible();
}

const anyOf = (...names: string[]) => new RegExp(`^(${names.join("|")})$`);

/** Chooses a picture, which opens the crop dialog. */
export async function choosePicture(
  { page, t }: Pick<Visitor, "page" | "t">,
  input: InputMethod,
): Promise<void> {
  const choosing = page.waitForEvent("filechooser");
  await input.press(
    page.getByRole("button", {
      name: anyOf(t.profileForm.choosePicture, t.profileForm.changePicture, t.profileForm.addPicture),
    }),
  );
  const buffer = drawPicture([180, 70, 90], [240, 210, 180]);
  await (await choosing).setFiles({ name: "IMG_0042.png", mimeType: "image/png", buffer });
}

/** Opens the next page of the third step. */
export async function goOn(
  { page, t, allowError }: Visitor,
  input: InputMethod,
  title: "signInTitle" | "aboutTitle" | "meetTitle",
): Promise<void> {
  // The user id is checked by an incomplete form.
  if (title === "aboutTitle") allowError(/status of 400.*\/users\/api\/user\)/);
  await input.press(page.getByRole("button", { name: t.signUp.continue, exact: true }));
  await expect(page.getByRole("heading", { name: t.signUp[title] })).toBeVisible();
}

/** Fills in the user id and the password, twice. */
export async function fillInSignIn({ page, t }: Visitor, input: InputMethod, user: NewUser): Promise<void> {
  const { signUp } = t;
  await input.type(page.getByLabel(signUp.userId), user.userId);
  await input.type(page.getByLabel(signUp.password, { exact: true }), user.password);
  await input.type(page.getByLabel(signUp.passwordAgain, { exact: true }), user.password);
}

/** Fills in name, sex, date of birth and introduction. */
export async function fillInAbout(visitor: Visitor, input: InputMethod, user: NewUser): Promise<void> {
  const { page, t } = visitor;
  const { profileForm } = t;
  await input.type(page.getByLabel(profileForm.username, { exact: true }), user.username);
  await input.tick(page.getByRole("radio", { name: profileForm[user.sex], exact: true }));
  await chooseBirthDate(visitor, input, user.date_of_birth);
  await input.type(page.getByLabel(profileForm.description), user.description);
}

/** Chooses a date, `YYYY-MM-DD`, by the labels of its parts. */
export async function chooseBirthDate(
  { page, t, language }: Visitor,
  input: InputMethod,
  date: string,
): Promise<void> {
  const label = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { ...options, timeZone: "UTC" }).format(new Date(`${date}T00:00:00Z`));
  const parts = [
    ["day", label({ day: "numeric" })],
    ["month", label({ month: language === "en" ? "long" : "short" })],
    ["year", label({ year: "numeric" })],
  ] as const;
  const inOrder = language === "en" ? parts : parts.toReversed();
  for (const [part, text] of inOrder)
    await input.choose(page.getByRole("combobox", { name: t.profileForm[part], exact: true }), text);
}

/** Fills in the four pages of the third step, with a cropped picture, without submitting the last one. */
export async function fillInProfile(visitor: Visitor, input: InputMethod, user: NewUser): Promise<void> {
  const { page, t } = visitor;
  await choosePicture(visitor, input);
  await cropPicture(visitor, input);
  await goOn(visitor, input, "signInTitle");
  await fillInSignIn(visitor, input, user);
  await goOn(visitor, input, "aboutTitle");
  await fillInAbout(visitor, input, user);
  await goOn(visitor, input, "meetTitle");
  await input.tick(page.getByRole("radio", { name: t.profileForm.everyone, exact: true }));
}

/** Zooms in twice and out once, then confirms. The form shows the processed picture unless `shown` differs. */
export async function cropPicture(
  { page, t }: Pick<Visitor, "page" | "t">,
  input: InputMethod,
  shown = /^data:image\/jpeg;/,
): Promise<void> {
  const { crop, profileForm } = t;
  const layer = page.getByRole("dialog", { name: crop.title });
  await input.press(layer.getByRole("button", { name: crop.zoomIn }));
  await input.press(layer.getByRole("button", { name: crop.zoomIn }));
  await expect(layer.getByText("140%")).toBeVisible();
  await input.press(layer.getByRole("button", { name: crop.zoomOut }));
  await expect(layer.getByText("120%")).toBeVisible();
  await input.press(layer.getByRole("button", { name: crop.confirm }));
  await expect(layer).toBeHidden();
  await expect(page.getByRole("img", { name: profileForm.yourPicture })).toHaveAttribute("src", shown);
}

/** Chooses an account on Google's page. */
export async function chooseGoogleAccount(page: Page, input: InputMethod, name: string): Promise<void> {
  await expect(page.getByRole("heading", { name: "Choose an account" })).toBeVisible();
  await input.press(page.getByRole("link", { name, exact: true }));
}

/** Signs up with Google as far as the completed form. */
export async function signUpWithGoogle(
  visitor: Visitor,
  input: InputMethod,
  user: NewUser,
  query = "",
): Promise<void> {
  const { page, t } = visitor;
  const { signUp: step } = t;
  const button = page.getByRole("button", { name: step.withGoogle });
  await visitor.open(`/sign-up${query}`);
  await expect(button).toBeDisabled();
  await input.tick(page.getByRole("checkbox", { name: formatText(step.agreePrivacy) }));
  await expect(button).toBeDisabled();
  await input.tick(page.getByRole("checkbox", { name: formatText(step.agreeTerms) }));
  await input.press(button);
  await chooseGoogleAccount(page, input, user.email);
  await expect(page.getByRole("heading", { name: step.pictureTitle })).toBeVisible();
  await fillInProfile(visitor, input, user);
}

/** Logs in on the login form of the current page, and waits until the form disappears. */
export async function logInOnScreen(
  { page, t }: Pick<Visitor, "page" | "t">,
  input: InputMethod,
  user: Pick<NewUser, "userId" | "password">,
): Promise<void> {
  const { login } = t;
  // On the landing a button opens the form.
  const opener = page.getByRole("button", { name: login.logIn, exact: true, expanded: false });
  if (await opener.isVisible()) await input.press(opener);
  const userId = page.getByLabel(login.userId);
  // After the sign-up it is filled in.
  if ((await userId.inputValue()) !== user.userId) await input.type(userId, user.userId);
  await input.type(page.getByLabel(login.password, { exact: true }), user.password);
  await input.press(page.getByRole("button", { name: login.logIn, exact: true }));
  await expect(page.getByRole("button", { name: login.logIn, exact: true })).toBeHidden({
    timeout: LOGIN_REDIRECT_MS + 10_000,
  });
}

/** Responds to the first login as beyond the limit, because these servers count nothing. Returns the sent forms. */
export async function requireBotCheckOnce({ page }: Pick<Visitor, "page">) {
  const sent: Record<string, unknown>[] = [];
  await page.route(/\/api\/token\/$/, async (route) => {
    sent.push(route.request().postDataJSON() as Record<string, unknown>);
    if (sent.length > 1) return route.continue();
    return route.fulfill({
      status: 429,
      headers: { "retry-after": "900" },
      json: { code: "bot_check_required", error_message: "Too many wrong passwords" },
    });
  });
  return sent;
}
