import { likeUser, saveLocation } from "@alcove/contract/discovery";
import { saveProfile } from "@alcove/contract/profiles";
import { signUp } from "@alcove/test-services/client";
import { personOf } from "@alcove/test-services/fixtures";
import { openAsMember } from "../../actions/open-as-member.ts";
import { drawPicture } from "../../fixtures/pictures.ts";
import { expect, test } from "../../fixtures/test.ts";

const TALLINN = "24.75,59.44";

test("a clear picture is shown to a match that was chosen, and is gone for it once that is taken back", async ({
  visit,
  mailbox,
  server,
}) => {
  const [hanako, taro] = await Promise.all([
    signUp(server.url, mailbox, personOf("clear-hanako", { username: "Hanako" })),
    signUp(server.url, mailbox, personOf("clear-taro", { sex: "male", username: "Taro" })),
  ]);
  for (const one of [hanako, taro]) await one.ask(saveLocation, { location: TALLINN });
  await hanako.ask(likeUser, { likedId: taro.userId });
  await taro.ask(likeUser, { likedId: hanako.userId });
  const icon = new File([new Uint8Array(drawPicture([180, 70, 90], [240, 210, 180]))], "icon.png");
  await hanako.ask(saveProfile, { icon, icon_process: true, keep_clear_icon: true });
  const hers = await visit({ device: "desktop" });
  const his = await visit({ device: "phone" });
  await openAsMember(hers, hanako, `/home/${taro.userId}`);
  await openAsMember(his, taro, `/home/${hanako.userId}`);
  const pictures = async (count: number) => {
    await his.open(`/home/${hanako.userId}`);
    await his.page.getByRole("button", { name: his.t.profile.enlarge }).click();
    await expect(his.page.getByText(`1 / ${count}`)).toBeVisible();
  };
  await pictures(1);

  const { page, t } = hers;
  const show = page.getByRole("button", { name: t.profile.showClear.replace("{name}", "Taro") });
  await show.click();
  await page.getByRole("button", { name: t.profile.showClearYes, exact: true }).click();
  await expect(page.getByText(t.profile.clearShown)).toBeVisible();
  await pictures(2);
  await his.page.getByRole("button", { name: his.t.slideshow.next }).click();
  const clear = his.page.getByRole("dialog").getByRole("img", { name: "Hanako" });
  await expect(clear).toHaveAttribute("src", /\/media\/c\//);
  const address = new URL((await clear.getAttribute("src"))!, server.url);
  expect((await fetch(address)).status).toBe(200);

  await hers.open("/setting/profile");
  await expect(page.getByRole("checkbox", { name: t.profileForm.keepClear })).toBeChecked();
  await page.getByRole("button", { name: t.profileForm.stopShowing }).click();
  await expect(page.getByText(t.profileForm.noClearViewers)).toBeVisible();
  expect((await fetch(address)).status).toBe(404);
  await pictures(1);
});
