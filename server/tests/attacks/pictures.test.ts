import { expect, test, vi } from "vitest";
import { saveProfile } from "@alcove/contract/profiles";
import { ownService, serviceForTest } from "../../src/testing/service-for-test.ts";
import { memberWithIcon } from "../../src/testing/sample-members.ts";
import { fileOf, plainPicture } from "../../src/testing/sample-pictures.ts";
import { expectError } from "../../src/testing/test-service.ts";

const picture = await plainPicture(64).png().toBuffer();

test("processes each picture once when many changes of one member arrive at the same time", async () => {
  const service = await ownService();
  const mallory = await memberWithIcon(service, "mallory", picture);
  const stored = vi.spyOn(service.ctx.fileStorage, "put");

  await Promise.all(Array.from({ length: 6 }, () => mallory.call(saveProfile, { icon_process: true })));
  expect(stored).toHaveBeenCalledTimes(1);

  const upload = { icon: fileOf(picture), icon_process: false };
  await Promise.all(Array.from({ length: 3 }, () => mallory.call(saveProfile, upload)));
  expect(stored).toHaveBeenCalledTimes(4);
});

test("counts the later processing of a clear picture as a saved one", { tags: "long" }, async () => {
  const service = await serviceForTest({ config: { hasRateLimits: true } });
  const mallory = await memberWithIcon(service, "mallory", picture);

  for (let i = 0; i < 10; i++) {
    await mallory.call(saveProfile, { icon_process: true });
    await mallory.call(saveProfile, { icon: fileOf(picture), icon_process: false });
  }

  await expectError(mallory.call(saveProfile, { icon_process: true }), "too_many_requests");
  await mallory.call(saveProfile, { hobby: "Clocks" });
});
