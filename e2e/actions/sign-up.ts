import { expect, type Page } from "@playwright/test";
import { LOGIN_REDIRECT_MS } from "@alcove/contract/limits";
import type { Mailbox } from "@alcove/test-services/mail";
import { drawPicture } from "../fixtures/pictures.ts";
import type { Hands } from "./input-method.ts";
import type { Visitor } from "../fixtures/test.ts";
import { said } from "../fixtures/translations.ts";

/** What somebody types to sign up on the screens. */
export interface Newcomer {
  readonly userId: string;
  readonly email: string;
  readonly password: string;
  readonly username: string;
  readonly sex: "female" | "male";
  readonly description: string;
}

/** The three steps of signing up, with the code of the letter that arrives; ends at the login. */
export async function signUpOnScreen(
  visitor: Visitor,
  hands: Hands,
  mailbox: Mailbox,
  who: Newcomer,
): Promise<void> {
  const { page, words } = visitor;
  await visitor.open("/sign-up");
  await askForCode(visitor, hands, who.email);
  await enterCode(visitor, hands, mailbox, who.email);
  await fillInProfile(visitor, hands, who);
  await hands.press(page.getByRole("button", { name: words.signUp.create }));
  await expect(page.getByText(words.signUp.done)).toBeVisible();
  await expect(page).toHaveURL(/\/login$/);
}

/** The first step: address and agreements. */
export async function askForCode({ page, words }: Visitor, hands: Hands, email: string): Promise<void> {
  const { signUp } = words;
  await hands.type(page.getByLabel(words.codes.email, { exact: true }), email);
  const sendCode = page.getByRole("button", { name: words.codes.send });
  await expect(sendCode).toBeDisabled();
  await hands.tick(page.getByRole("checkbox", { name: said(signUp.agreePrivacy) }));
  await expect(sendCode).toBeDisabled();
  await hands.tick(page.getByRole("checkbox", { name: said(signUp.agreeTerms) }));
  await hands.press(sendCode);
  await expect(page.getByRole("heading", { name: words.codes.title })).toBeVisible();
}

/** The second step: the code of the letter. */
export async function enterCode(
  { page, words }: Visitor,
  hands: Hands,
  mailbox: Mailbox,
  email: string,
): Promise<void> {
  const { signUp } = words;
  const { code } = await mailbox.waitForLetter(email);
  await hands.type(page.getByLabel(words.codes.code), code!);
  await hands.press(page.getByRole("button", { name: words.codes.confirm }));
  await expect(page.getByRole("heading", { name: signUp.profileTitle })).toBeVisible();
}

const anyOf = (...names: string[]) => new RegExp(`^(${names.join("|")})$`);

/** Chooses a picture, which opens the crop layer. */
export async function choosePicture({ page, words }: Visitor, hands: Hands): Promise<void> {
  const choosing = page.waitForEvent("filechooser");
  await hands.press(
    page.getByRole("button", {
      name: anyOf(words.profileForm.choosePicture, words.profileForm.changePicture),
    }),
  );
  const buffer = drawPicture([180, 70, 90], [240, 210, 180]);
  await (await choosing).setFiles({ name: "IMG_0042.png", mimeType: "image/png", buffer });
}

/** The register form, with a picture that is chosen and cropped. */
export async function fillInProfile(visitor: Visitor, hands: Hands, who: Newcomer): Promise<void> {
  const { page, words } = visitor;
  const { signUp, profileForm } = words;
  await choosePicture(visitor, hands);
  await cropOnScreen(visitor, hands);
  await hands.type(page.getByLabel(signUp.userId), who.userId);
  await hands.type(page.getByLabel(signUp.password, { exact: true }), who.password);
  await hands.type(page.getByLabel(signUp.passwordAgain), who.password);
  await hands.type(page.getByLabel(profileForm.username), who.username);
  await hands.choose(page.getByLabel(profileForm.sex), profileForm[who.sex]);
  await hands.date(page.getByLabel(profileForm.dateOfBirth), "1983-05-06");
  await hands.type(page.getByLabel(profileForm.description), who.description);
}

/** The crop layer: zooms in twice and out once, then takes the picture, which is `shown` processed unless said otherwise. */
export async function cropOnScreen(
  { page, words }: Pick<Visitor, "page" | "words">,
  hands: Hands,
  shown = /^data:image\/jpeg;/,
): Promise<void> {
  const { crop, profileForm } = words;
  const layer = page.getByRole("dialog", { name: crop.title });
  await hands.press(layer.getByRole("button", { name: crop.zoomIn }));
  await hands.press(layer.getByRole("button", { name: crop.zoomIn }));
  await expect(layer.getByText("140 %")).toBeVisible();
  await hands.press(layer.getByRole("button", { name: crop.zoomOut }));
  await expect(layer.getByText("120 %")).toBeVisible();
  await hands.press(layer.getByRole("button", { name: crop.confirm }));
  await expect(layer).toBeHidden();
  await expect(page.getByRole("img", { name: profileForm.yourPicture })).toHaveAttribute("src", shown);
}

/** Google's page, where an account is chosen by its name. */
export async function chooseAccount(page: Page, hands: Hands, name: string): Promise<void> {
  await expect(page.getByRole("heading", { name: "Choose an account" })).toBeVisible();
  await hands.press(page.getByRole("link", { name, exact: true }));
}

/** From the first step through Google to the form, and the form. */
export async function signUpWithGoogle(
  visitor: Visitor,
  hands: Hands,
  who: Newcomer,
  query = "",
): Promise<void> {
  const { page, words } = visitor;
  const { signUp: step } = words;
  const button = page.getByRole("button", { name: step.withGoogle });
  await visitor.open(`/sign-up${query}`);
  await expect(button).toBeDisabled();
  await hands.tick(page.getByRole("checkbox", { name: said(step.agreePrivacy) }));
  await expect(button).toBeDisabled();
  await hands.tick(page.getByRole("checkbox", { name: said(step.agreeTerms) }));
  await hands.press(button);
  await chooseAccount(page, hands, who.email);
  await expect(page.getByRole("heading", { name: step.profileTitle })).toBeVisible();
  await expect(page.getByText(who.email)).toBeVisible();
  await expect(page.getByText(step.confirmedByGoogle)).toBeVisible();
  await fillInProfile(visitor, hands, who);
}

/** Fills the login of the page that is shown, and waits until it has led on. */
export async function logInOnScreen(
  { page, words }: Pick<Visitor, "page" | "words">,
  hands: Hands,
  who: Pick<Newcomer, "userId" | "password">,
): Promise<void> {
  const { login } = words;
  await hands.type(page.getByLabel(login.userId), who.userId);
  await hands.type(page.getByLabel(login.password, { exact: true }), who.password);
  await hands.press(page.getByRole("button", { name: login.logIn, exact: true }));
  await expect(page.getByRole("button", { name: login.logIn, exact: true })).toBeHidden({
    timeout: LOGIN_REDIRECT_MS + 10_000,
  });
}
