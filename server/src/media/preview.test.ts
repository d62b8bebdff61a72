import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkSignUpCode, getOwnUser, previewSignUpIcon, register } from "@alcove/contract/accounts";
import { ICON_PIXELS } from "@alcove/contract/limits";
import { previewIcon, saveProfile } from "@alcove/contract/profiles";
import { startMailbox } from "@alcove/test-services/mail";
import { serviceForTest } from "../testing/service-for-test.ts";
import { fileOf, plainPicture, quarters } from "../testing/sample-pictures.ts";
import { expectError, testService, type TestService } from "../testing/test-service.ts";
import { requestSignUpCodeFor, signUpForm } from "../testing/sign-up.ts";
import { readFiles } from "../testing/data-traces.ts";

const mailbox = await startMailbox();
afterAll(() => mailbox.close());

const icon = fileOf(await quarters().png().toBuffer());

let service: TestService;
beforeAll(async () => {
  service = await testService({ config: { smtpUrl: mailbox.url } });
});

const bytesOf = (dataUrl: string) => Buffer.from(dataUrl.split(",")[1]!, "base64");

test("returns the picture as a save would process it, behind other glass", async () => {
  const hanako = await service.member("hanako", { at: null });

  const preview = await hanako.call(previewIcon, { icon });
  await hanako.call(saveProfile, { icon, icon_process: true });

  expect([preview.faces, preview.face, preview.icon.slice(0, 23)]).toEqual([
    0,
    null,
    "data:image/jpeg;base64,",
  ]);
  const { user } = await hanako.call(getOwnUser, {});
  const shown = Buffer.from(await (await service.fetch(user.icon)).arrayBuffer());
  expect((await sharp(bytesOf(preview.icon)).metadata()).width).toBe(ICON_PIXELS);
  expect(shown.equals(bytesOf(preview.icon))).toBe(false);
  expect((await sharp(shown).metadata()).exif).toBeUndefined();
});

test("stores nothing of a preview", async () => {
  const alone = await serviceForTest();
  const taro = await alone.member("taro", { at: null });

  await taro.call(previewIcon, { icon });

  expect(await alone.db.selectFrom("media_files").selectAll().execute()).toEqual([]);
  expect((await readFiles(alone.dataDir)).filter(({ name }) => name.includes("/media/"))).toEqual([]);
});

test("accepts the code of the email at sign-up, which stays valid for the last step", async () => {
  const email = "jiro@example.com";
  const code = await requestSignUpCodeFor(service, mailbox, email);

  const { icon: shown } = await service.call(previewSignUpIcon, { email, code, icon });
  await service.call(previewSignUpIcon, { email, code, icon });

  expect((await sharp(bytesOf(shown)).metadata()).format).toBe("jpeg");
  expect(await service.call(checkSignUpCode, { email, code })).toBe(true);
  await service.call(register, signUpForm({ email, code, userId: "jiro", icon }));
  await expectError(service.call(previewSignUpIcon, { email, code, icon }), "invalid_input");
});

test("counts wrong codes and ends the challenge at the fifth, before any decoding", async () => {
  const email = "saburo@example.com";
  const code = await requestSignUpCodeFor(service, mailbox, email);
  const wrong = code === "00000000" ? "00000001" : "00000000";

  for (let i = 0; i < 5; i++) {
    const { body } = await expectError(
      service.call(previewSignUpIcon, { email, code: wrong, icon: fileOf("no picture") }),
      "invalid_input",
    );
    expect(body["validation_errors"]).toEqual({ code: ["code_wrong"] });
  }

  await expectError(service.call(previewSignUpIcon, { email, code, icon }), "invalid_input");
  expect(await service.call(checkSignUpCode, { email, code })).toBe(false);
});

test("rejects a preview without a login or with an invalid picture", async () => {
  const shiro = await service.member("shiro", { at: null });

  await expectError(service.call(previewIcon, { icon }), "login_required");
  await expectError(service.call(previewSignUpIcon, { icon }), "invalid_input");
  await expectError(shiro.call(previewIcon, { icon: fileOf("<svg/>") }), "not_an_image");
  await expectError(
    shiro.call(previewIcon, { icon: fileOf(await plainPicture(10_000, 100).png().toBuffer()) }),
    "not_an_image",
  );
});

test("limits previews to 30 an hour", async () => {
  const limited = await serviceForTest({ config: { hasRateLimits: true } });
  const goro = await limited.member("goro", { at: null });
  const none = fileOf("no picture");

  for (let i = 0; i < 30; i++) await expectError(goro.call(previewIcon, { icon: none }), "not_an_image");

  await expectError(goro.call(previewIcon, { icon: none }), "too_many_requests");
});
