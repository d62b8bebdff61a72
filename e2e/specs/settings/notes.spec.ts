import { addPost } from "@alcove/contract/notes";
import { checkAccessibility } from "../../actions/a11y-checks.ts";
import { match, setPosition } from "../../actions/members.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { expect, test } from "../../fixtures/test.ts";
import { formatText } from "../../fixtures/translations.ts";

test("writes a note in Japanese, changes and deletes it, and replies to the week's question", async ({
  visit,
  member,
}) => {
  const hanako = await member("notes-hanako");
  const visitor = await visit({ language: "ja", device: "phone" });
  const { page, t } = visitor;
  await openAsMember(visitor, hanako, "/setting");
  await page.getByRole("link", { name: t.notes.title }).click();
  await expect(page.getByRole("heading", { name: t.ownNotes.none })).toBeVisible();

  const field = page.getByRole("textbox", { name: t.ownNotes.write });
  const cdp = await visitor.context.newCDPSession(page);
  await field.focus();
  for (const text of ["か", "かわ", "川"])
    await cdp.send("Input.imeSetComposition", {
      text,
      selectionStart: text.length,
      selectionEnd: text.length,
    });
  await page.keyboard.press("Enter"); // accepts the proposal
  await cdp.send("Input.insertText", { text: "川沿いを歩きました。" });
  await expect(field).toHaveValue(/川沿いを歩きました。/);
  await expect(page.getByRole("heading", { name: t.ownNotes.none })).toBeVisible();
  await page.getByRole("radio", { name: t.notes.privateShort }).check();
  await expect(page.getByText(t.notes.private, { exact: true })).toBeVisible();
  await page.getByRole("button", { name: t.ownNotes.add }).click();

  const note = page.getByRole("listitem").filter({ hasText: "川沿いを歩きました。" });
  await expect(note).toContainText(t.notes.private);
  await expect(field).toHaveValue("");
  await note.getByRole("button", { name: t.ownNotes.edit }).click();
  const sheet = page.getByRole("dialog", { name: t.ownNotes.editTitle });
  await sheet.getByRole("textbox").fill("");
  await sheet.getByRole("button", { name: t.ownNotes.save }).click();
  await expect(sheet.getByText(t.fields.required)).toBeVisible();
  await checkAccessibility(visitor, "a note without text");
  await sheet.getByRole("textbox").fill("湖を歩きました。");
  await sheet.getByRole("radio", { name: t.notes.secretShort }).check();
  await sheet.getByRole("button", { name: t.ownNotes.save }).click();
  const changed = page.getByRole("listitem").filter({ hasText: "湖を歩きました。" });
  await expect(changed).toContainText(t.notes.secret);
  await changed.getByRole("button", { name: t.ownNotes.delete }).click();
  await page.getByRole("dialog").getByRole("button", { name: t.ownNotes.delete }).click();
  await expect(page.getByRole("heading", { name: t.ownNotes.none })).toBeVisible();
  await expect(page.getByRole("heading", { name: t.ownNotes.yours })).toBeFocused();

  await page.getByRole("button", { name: t.notes.answer, exact: true }).click();
  await page.getByRole("textbox", { name: t.notes.yourAnswer }).fill("カワセミを見ました。");
  await checkAccessibility(visitor, "an answer to the week's question");
  await page.getByRole("button", { name: t.notes.saveAnswer }).click();
  await expect(page.getByText("カワセミを見ました。")).toBeVisible();
  await visitor.open("/setting/preview");
  await expect(page.getByRole("article")).toContainText("カワセミを見ました。");
  await visitor.open("/setting/notes");
  await page.getByRole("button", { name: t.notes.takeBack }).click();
  await expect(page.getByRole("button", { name: t.notes.answer, exact: true })).toBeVisible();
});

test("shows notes on the profile, and lets a match reply to one", async ({ visit, member, place }) => {
  const [hanako, taro] = await Promise.all([
    member("noted-hanako", { username: "Noted Hanako" }),
    member("noted-taro", { sex: "male" }),
  ]);
  await setPosition(place, hanako, taro);
  await hanako.call(addPost, { text: "On the river, https://example.com/map", visibility: "public" });
  await hanako.call(addPost, { text: "Only after a match.", visibility: "private" });
  const visitor = await visit({ at: place });
  const { page, t } = visitor;
  await openAsMember(visitor, taro, "/home/noted-hanako");
  const profile = page.getByRole("article");
  await expect(profile).toContainText("On the river, https://example.com/map");
  await expect(profile).toContainText(t.notes.replyLater);
  await expect(profile).not.toContainText("Only after a match.");
  await expect(profile.getByRole("link", { name: "https://example.com/map" })).toBeHidden();
  await match(hanako, taro);

  await visitor.open("/home/noted-hanako");
  await expect(profile.getByRole("link", { name: "https://example.com/map" })).toBeVisible();
  await checkAccessibility(visitor, "a profile with notes");
  await profile
    .getByRole("button", { name: formatText(t.notes.replyTo, { text: "Only after a match." }) })
    .click();
  const composer = page.getByRole("textbox", { name: t.chat.write });
  await expect(page.getByRole("group").filter({ hasText: "Only after a match." })).toBeVisible();
  await composer.fill("Well, here we are.");
  await composer.press("Enter");
  await expect(page.getByRole("log")).toContainText("Well, here we are.");
  await expect(page.getByRole("log").getByRole("link", { name: /Only after a match\./ })).toBeVisible();
});
