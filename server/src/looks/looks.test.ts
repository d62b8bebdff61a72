import { expect, test } from "vitest";
import { answerHelp, getHelpQueue, openHelp } from "@alcove/contract/console-help";
import { getLog, grantAccount, listSameNetwork, lookUpMember } from "@alcove/contract/console";
import { askHelp } from "@alcove/contract/help";
import { getLooks } from "@alcove/contract/looks";
import { operatorOf } from "../testing/console.ts";
import { environmentOf, operator } from "../testing/operator.ts";
import { serviceForTest } from "../testing/service-for-test.ts";

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
