import { availableParallelism } from "node:os";
import { expect, test } from "vitest";
import { getOwnUser } from "@alcove/contract/accounts";
import { saveProfile } from "@alcove/contract/profiles";
import { HOUR_MS } from "../platform/clock.ts";
import { logInAgain } from "../testing/log-in-again.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { fileOf, plainPicture } from "../testing/sample-pictures.ts";
import { expectError } from "../testing/test-service.ts";
import { readUpload } from "./files.ts";

test("processes one picture of a member at a time, and at most one per core", async () => {
  const running: string[] = [];
  let most = 0;
  const finished: string[] = [];
  const owners = ["hanako", ...Array.from({ length: 7 }, (_, i) => `member${i}`)];
  const process = async (owner: string) => {
    await readUpload(
      owner,
      new File(["picture"], "picture"),
      async (file) => {
        expect(running).not.toContain(owner);
        running.push(owner);
        most = Math.max(most, running.length);
        await file.arrayBuffer();
        await new Promise((done) => setImmediate(done));
        running.splice(running.indexOf(owner), 1);
      },
      "icon",
    );
    finished.push(owner);
  };

  const hers = Array.from({ length: 40 }, () => process("hanako"));
  await Promise.all([...hers, ...owners.slice(1).map(process)]);

  expect(most).toBe(Math.min(availableParallelism(), owners.length));
  const beforeTheOthers = finished
    .slice(0, finished.lastIndexOf("member6"))
    .filter((one) => one === "hanako");
  expect(beforeTheOthers.length).toBeLessThanOrEqual(owners.length);
});

test("saves twenty pictures of a member in an hour, in parallel too", { tags: "long" }, async () => {
  const service = await serviceForTest({ config: { hasRateLimits: true } });
  let hanako = await service.member("hanako", { at: null });
  const taro = await service.member("taro", { at: null });
  const picture = await plainPicture(32).png().toBuffer();
  const save = (member: typeof hanako) =>
    member.call(saveProfile, { icon: fileOf(picture), icon_process: false });
  for (let i = 0; i < 16; i++) await save(hanako);

  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => save(hanako)));

  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(4);
  await expectError(save(hanako), "too_many_requests");
  await hanako.call(saveProfile, { username: "Hanako" });
  await save(taro);
  service.clock.advance(HOUR_MS);
  hanako = await logInAgain(service, hanako);
  await save(hanako);
  expect((await hanako.call(getOwnUser, {})).user.username).toBe("Hanako");
});
