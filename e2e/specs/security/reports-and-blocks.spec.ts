import { getLastDms, sendDm } from "@alcove/contract/messaging";
import { checkAccessibility } from "../../actions/a11y-checks.ts";
import { message } from "../../actions/chat-actions.ts";
import { type InputMethod, keyboard, mouse } from "../../actions/input-method.ts";
import { match, setPosition } from "../../actions/members.ts";
import { chooseFromMore, chooseInChat } from "../../actions/more-menu.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { expect, test, type Visitor } from "../../fixtures/test.ts";
import { formatText } from "../../fixtures/translations.ts";

test("shows the same text for a blocked and for a non-existent profile", async ({ visit, member, place }) => {
  const [hanako, taro] = await Promise.all([
    member("block-hanako", { username: "Hanako of the harbour" }),
    member("block-taro", { sex: "male" }),
  ]);
  await setPosition(place, hanako, taro);
  const one = await visit({ at: place });
  const other = await visit({ at: place });
  for (const visitor of [one, other]) visitor.allowError(/status of 404/);
  await openAsMember(one, taro, "/home/block-hanako");
  await expect(one.page).toHaveTitle("Hanako of the harbour block-hanako");

  await openAsMember(other, hanako, "/home/block-taro");
  await chooseFromMore(other, "block");
  await other.page
    .getByRole("dialog")
    .getByRole("button", { name: other.t.safety.block, exact: true })
    .click();
  await expect(other.page.getByText(other.t.safety.blocked)).toBeVisible();

  for (const userId of ["block-hanako", "non-existent"]) {
    await one.open(`/home/${userId}`);
    await expect(one.page.getByText("This user doesn't exists or you are blocked.")).toBeVisible();
    await expect(one.page).toHaveTitle("Alcove");
  }
  await other.open("/setting/blocks");
  await other.page.getByRole("button", { name: other.t.settings.unblock }).click();
  await expect(other.page.getByText(other.t.settings.noBlocks)).toBeVisible();
  await one.open("/home/block-hanako");
  await expect(one.page.getByRole("heading", { name: "Hanako of the harbour" })).toBeVisible();
});

/** Fills in the report dialog and sends it. */
async function report(
  visitor: Visitor,
  input: InputMethod,
  name: string,
  { detail, alsoBlock = false }: { detail?: string; alsoBlock?: boolean } = {},
): Promise<void> {
  const { page, t } = visitor;
  const dialog = page.getByRole("dialog", { name: formatText(t.safety.reportTitle, { name }) });
  await expect(dialog).toBeVisible();
  await input.press(dialog.getByRole("button", { name: t.safety.sendReport }));
  await expect(dialog.getByText(t.ui.chooseOne)).toBeVisible();
  await expect(dialog.getByRole("radio", { name: t.safety.reason_fake })).toBeFocused();
  if (input === keyboard) await page.keyboard.press("ArrowDown");
  else await dialog.getByRole("radio", { name: t.safety.reason_harassment }).check();
  await expect(dialog.getByRole("radio", { name: t.safety.reason_harassment })).toBeChecked();
  if (detail) await input.type(dialog.getByLabel(t.safety.detail), detail);
  if (alsoBlock) {
    await input.tick(dialog.getByRole("checkbox", { name: formatText(t.safety.alsoBlock, { name }) }));
  }
  await input.press(dialog.getByRole("button", { name: t.safety.sendReport }));
  await expect(page.getByText(t.safety.reported)).toBeVisible();
  await expect(dialog).toBeHidden();
}

test("reports a member from card, profile and chat, with a message, and blocks them", async ({
  visit,
  member,
  place,
}) => {
  const [hanako, taro] = await Promise.all([
    member("report-hanako"),
    member("report-taro", { sex: "male", username: "Report Taro" }),
  ]);
  await setPosition(place, hanako, taro);
  const visitor = await visit({ at: place });
  visitor.allowError(/status of 404/);
  const { page, t } = visitor;

  await openAsMember(visitor, hanako, "");
  await chooseFromMore(visitor, "report");
  await report(visitor, mouse, "Report Taro");

  await visitor.open(`/home/${taro.userId}`);
  await chooseFromMore(visitor, "report", keyboard);
  await report(visitor, keyboard, "Report Taro", { detail: "He is somebody else." });

  await match(hanako, taro);
  const { dm } = await taro.call(sendDm, {
    receiverId: hanako.userId,
    description: "I know where you live.",
  });
  await visitor.open(`/dm/${taro.userId}`);
  await message(visitor, "I know where you live.").click({ button: "right" });
  const option = page.getByRole("menuitem", { name: t.chat.reportMessage });
  const { x } = (await page.getByRole("log").getByRole("time").first().boundingBox())!;
  expect((await option.boundingBox())!.x - x).toBeLessThan(30); // on the side of the message
  await option.click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("option", { name: "I know where you live." })).toHaveJSProperty(
    "selected",
    true,
  );
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await chooseInChat(visitor, t.chat.report);
  await dialog.getByLabel(t.safety.message).selectOption({ label: "I know where you live." });
  const sent = page.waitForRequest((request) => request.url().endsWith("/users/api/report"));
  await report(visitor, mouse, "Report Taro", { alsoBlock: true });

  expect((await sent).postDataJSON()).toMatchObject({ reason: "harassment", dmId: dm.id });
  await expect(page.getByText(t.safety.blocked)).toBeVisible();
  // The other side learns only that a match ended.
  const day: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);
  expect(await taro.call(getLastDms, {})).toEqual({
    matches: [],
    dms: [],
    unread: [],
    muted: [],
    ended: [{ id: expect.any(String), matched_on: day, ended_on: day, goodbye: null }],
  });
});

test("helps a threatened member: advice, one press from the chat, number and sheet for the police", async ({
  visit,
  member,
  place,
}) => {
  const [hanako, taro] = await Promise.all([
    member("threat-hanako"),
    member("threat-taro", { sex: "male", username: "Threat Taro" }),
  ]);
  await setPosition(place, hanako, taro);
  await match(hanako, taro);
  await taro.call(sendDm, { receiverId: hanako.userId, description: "Pay, or I tell." });
  const visitor = await visit({ device: "phone" });
  visitor.allowError(/status of 404/);
  const { page, t } = visitor;
  await openAsMember(visitor, hanako, `/dm/${taro.userId}`);
  await expect(message(visitor, "Pay, or I tell.")).toBeVisible();
  await chooseInChat(visitor, t.safety.threat);

  await expect(page.getByRole("heading", { level: 1, name: t.threat.title })).toBeVisible();
  await expect(page.getByText(t.threat.first)).toBeVisible();
  await expect(page.getByLabel(t.threat.who).locator("option:checked")).toHaveText("Threat Taro");
  await checkAccessibility(visitor, "I am being threatened");
  await page.getByRole("checkbox", { name: t.threat.hide }).check();
  await page.getByRole("button", { name: t.threat.press }).click();

  await expect(page.getByRole("heading", { level: 1, name: t.threat.done })).toBeVisible();
  await checkAccessibility(visitor, "the number and the sheet for the police");
  const sheet = page.getByRole("article");
  const [number] = /\d{12}/.exec(page.url())!;
  await expect(sheet.getByText(number)).toBeVisible();
  await expect(sheet).not.toContainText(/match|marri|Threat Taro/i);
  await page.getByRole("button", { name: t.threat.proofSave }).click();
  await expect(page.getByText(t.threat.proofNotYet)).toBeVisible();
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: t.threat.save, exact: true }).click();
  expect((await saved).suggestedFilename()).toBe(`${number}-sheet.txt`);

  await visitor.open("/setting/reports");
  await page.getByRole("link", { name: t.threat.page }).click();
  await expect(page).toHaveURL(visitor.url(`/threat/${number}`));
  expect(await hanako.call(getLastDms, {})).toMatchObject({ dms: [], matches: [] });
});
