import { expect, test } from "vitest";
import { answerHelp, getHelpQueue, openHelp } from "@alcove/contract/console-help";
import {
  decideCase,
  getCases,
  getLog,
  grantAccount,
  listSameNetwork,
  lookUpMember,
  openCase,
} from "@alcove/contract/console";
import { askHelp } from "@alcove/contract/help";
import { getLooks } from "@alcove/contract/looks";
import { reportUser } from "@alcove/contract/safety";
import { DAY_MS, HOUR_MS } from "../platform/clock.ts";
import { announceDecisions, destroyCases } from "../testing/cases.ts";
import { logInAgain } from "../testing/log-in-again.ts";
import { operatorOf } from "../testing/console.ts";
import { environmentOf, operator } from "../testing/operator.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { expectError, type TestMember, type TestService } from "../testing/test-service.ts";

test("lists each entry of the operator log about the member, newest first, without the operator's words", async () => {
  const service = await serviceForTest({ config: { consolePort: 0 } });
  const hanako = await service.member("hanako", { at: null });
  const taro = await service.member("taro", { at: null });
  const sato = await operatorOf(service, "Sato");
  const about = { userId: "hanako", reason: "Taro told us about her." };
  const grantId = "0b0e4ad2-6a2b-4f0e-9a39-4c2d7cf1a001";

  await sato.call(lookUpMember, about);
  await sato.call(listSameNetwork, about);
  await sato.call(grantAccount, { ...about, year: 0, month: 1, grantId });
  await hanako.call(askHelp, { text: "When does it end?" });
  const [thread] = (await sato.call(getHelpQueue, {})).threads;
  await sato.call(openHelp, { id: thread!.id });
  await sato.call(answerHelp, { id: thread!.id, text: "Next month." });
  await operator(environmentOf(service), "log", "list", "--member", "hanako");

  const { looks } = await hanako.call(getLooks, {});
  expect(looks.map(({ kind, reason }) => `${kind} ${reason}`)).toEqual([
    "log other",
    "help help",
    "help help",
    "change other",
    "network other",
    "account other",
  ]);
  expect(looks[0]!.day).toMatch(/^\d{4}-\d\d-\d\d$/);
  const { entries } = await sato.call(getLog, {});
  expect(entries.filter(({ subject }) => subject === "hanako")).toHaveLength(looks.length);
  expect(await taro.call(getLooks, {})).toEqual({ looks: [] });
});

/** Hanako reports Taro. Sato looks at the case, and at his account for it; once without it. */
async function lookedAt() {
  const service = await serviceForTest({ config: { consolePort: 0 } });
  service.clock.set("2027-03-04T10:20:00Z");
  const hanako = await service.member("hanako", { at: null });
  const taro = await service.member("taro", { at: null });
  const sato = await operatorOf(service, "Sato");
  await sato.call(lookUpMember, { userId: "taro", reason: "asked by email" });
  const before = await bytesOf(taro);
  await hanako.call(reportUser, { userId: "taro", reason: "harassment" });
  const [{ id } = { id: "" }] = (await sato.call(getCases, {})).cases;
  await sato.call(openCase, { id });
  await sato.call(lookUpMember, { userId: "taro", reason: "a report", case: id });
  return { service, taro, sato, id, before };
}

async function bytesOf(taro: TestMember): Promise<string> {
  return (await taro.fetch(`/en${getLooks.path}`)).text();
}

const looksOf = async (service: TestService, taro: TestMember) =>
  (await (await logInAgain(service, taro)).call(getLooks, {})).looks.map(
    ({ day, kind, reason }) => `${day} ${kind} ${reason}`,
  );

const OTHER_LOOK = "2027-03-04 account other";

test("shows looks of a case with a decision against the member, and with an open case the same bytes as before", async () => {
  const { service, taro, sato, id, before } = await lookedAt();
  expect(await bytesOf(taro)).toBe(before);
  await sato.call(decideCase, { id, decision: "warn", rule: "fraud", reason: "asks for money" });
  expect(await bytesOf(taro)).toBe(before);

  service.clock.advance(HOUR_MS);
  await announceDecisions(service.ctx);

  const told = ["change fraud", "account fraud", "content fraud"].map((look) => `2027-03-04 ${look}`);
  expect(await looksOf(service, taro)).toEqual([...told, OTHER_LOOK]);
  const again = await operatorOf(service, "Suzuki");
  await again.call(openCase, { id });
  expect(await looksOf(service, taro)).toEqual(["2027-03-04 content fraud", ...told, OTHER_LOOK]);
  const { entries } = await again.call(getLog, {});
  expect(entries.filter(({ subject }) => subject === "taro")).toHaveLength(told.length + 2);
  service.clock.advance(182 * DAY_MS);
  await destroyCases(service.ctx);
  expect(await looksOf(service, taro)).toHaveLength(told.length + 2);
});

test("shows looks of a case that led to nothing 90 days after its end, by month", async () => {
  const { service, taro, id } = await lookedAt();
  service.clock.advance(2 * DAY_MS);
  const suzuki = await operatorOf(service, "Suzuki");
  await suzuki.call(openCase, { id });
  await suzuki.call(decideCase, { id, decision: "none", rule: "other", reason: "a joke" });
  await suzuki.call(openCase, { id });

  service.clock.advance(89 * DAY_MS);
  expect(await looksOf(service, taro)).toEqual([OTHER_LOOK]);
  service.clock.advance(DAY_MS);

  const later = ["change other", "content other", "account other", "content other"];
  const shown = [OTHER_LOOK, ...later.map((look) => `2027-03 ${look}`)];
  expect(await looksOf(service, taro)).toEqual(shown);
  service.clock.advance(91 * DAY_MS);
  await destroyCases(service.ctx);
  expect(await looksOf(service, taro)).toEqual([OTHER_LOOK, "2027-03 content other", ...shown.slice(1)]);
});

test("accepts a case for a look only if the member is a side of it, by the command line too", async () => {
  const { service, sato, id } = await lookedAt();
  await service.member("jiro", { at: null });
  const look = (userId: string, number: string) =>
    sato.call(lookUpMember, { userId, reason: "a report", case: number });
  await look("hanako", id);
  await expectError(look("jiro", id), "invalid_input");
  await expectError(look("taro", "123456789012"), "invalid_input");

  const show = async (userId: string, number: string) =>
    (await operator(environmentOf(service), "members", "show", userId, "--case", number)).code;
  expect(await Promise.all([show("taro", id), show("jiro", id), show("taro", "12")])).toEqual([0, 1, 2]);
});
