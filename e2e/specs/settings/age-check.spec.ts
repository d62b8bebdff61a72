import { saveLocation } from "@alcove/contract/discovery";
import { checkAccessibility } from "../../actions/a11y-checks.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { drawPicture } from "../../fixtures/pictures.ts";
import { nextPlace } from "../../fixtures/places.ts";
import { expect, test } from "../../fixtures/test.ts";
import { formatText } from "../../fixtures/translations.ts";

const document = {
  name: "document.png",
  mimeType: "image/png",
  buffer: drawPicture([240, 240, 235], [90, 90, 90]),
};

test(
  "leads from the first like to the age check, and likes after the operator's decision",
  { tag: "@long" },
  async ({ visit, member, serverWith, runOperator }) => {
    const place = nextPlace();
    const hanako = await member("shows-document", { username: "Hanako" });
    const taro = await member("waits-for-her", { username: "Taro", sex: "male" });
    for (const one of [hanako, taro]) await one.call(saveLocation, { location: place.join(",") });
    const { url: serverUrl } = await serverWith({ AGE_CHECK: "document" });
    const visitor = await visit({ language: "ja", device: "phone", serverUrl });
    const { page, t } = visitor;
    await openAsMember(visitor, hanako, "");
    visitor.allowError(/status of 403/);
    const like = page.getByRole("button", { name: t.home.like });

    await like.click();
    await expect(page.getByRole("heading", { name: t.ageCheck.title })).toBeVisible();
    await checkAccessibility(visitor, "age check");
    await page.getByLabel(t.ageCheck.file).setInputFiles(document);
    await page.getByRole("button", { name: t.ageCheck.send, exact: true }).click();
    await expect(page.getByText(t.ageCheck.waiting)).toBeVisible();
    const [, id = ""] = /"id":"([^"]+)"/.exec(await runOperator("age-checks", "list", "--json"))!;
    await runOperator("age-checks", "decide", id, "--outcome", "approved");
    await page.reload();
    await expect(page.getByText(t.ageCheck.approved)).toBeVisible();
    await visitor.open("");
    await like.click();

    await expect(
      page.getByRole("status").filter({ hasText: formatText(t.home.liked, { name: "Taro" }) }),
    ).toBeVisible();
  },
);
