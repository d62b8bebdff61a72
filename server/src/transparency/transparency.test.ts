import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { sendNotice } from "@alcove/contract/notices";
import { appealCase } from "@alcove/contract/cases";
import { reportUser } from "@alcove/contract/safety";
import { DAY_MS } from "../platform/clock.ts";
import { announceDecisions, BY_OTHER, decide, destroyCases, readOpenReports } from "../testing/cases.ts";
import { logInAgain } from "../testing/log-in-again.ts";
import { environmentOf, operator } from "../testing/operator.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { decideAppeal } from "../cases/index.ts";
import { countFigures, readYear } from "./index.ts";

test("counts a year's notices, reports, decisions, appeals, days and members, also after the cases are gone", async () => {
  const service = await serviceForTest();
  const { ctx, clock } = service;
  clock.set("2027-02-03T10:20:00Z");
  const hanako = await service.member("hanako");
  for (const name of ["taro", "jiro"]) {
    const accused = await service.member(name);
    await (await logInAgain(service, hanako)).call(reportUser, { userId: name, reason: "spam" });
    const [{ caseNo } = { caseNo: 0 }] = await readOpenReports(ctx);
    clock.advance(4 * DAY_MS);
    await decide(ctx, caseNo, { decision: "ban", rule: "fraud" });
    clock.advance(DAY_MS);
    await announceDecisions(ctx);
    if (name === "jiro") continue;
    await (await logInAgain(service, accused)).call(appealCase, { text: "Never." });
    await countFigures(ctx);
    await decideAppeal(ctx, caseNo, { outcome: "uphold", reason: "it is proven", by: BY_OTHER });
  }
  const notice = {
    kind: "intimate",
    text: "A picture of me.",
    name: "Akiko",
    email: "a@example.com",
  } as const;
  await service.call(sendNotice, { ...notice, good_faith: "yes" });
  const count = async () => {
    await countFigures(ctx);
    const { figures, medianDays } = await readYear(ctx, 2027);
    const months = figures.map(({ figure, months: [, february], year }) => [figure, february, year]);
    return { months: Object.fromEntries(months.map(([figure, ...counts]) => [figure, counts])), medianDays };
  };

  const counted = await count();
  expect(Object.keys(counted.months).filter((figure) => figure.startsWith("appeals."))).toHaveLength(2);
  expect(counted).toMatchObject({
    months: {
      "notices.intimate": [1, 1],
      "reports.spam": [2, 2],
      "decisions.fraud.ban": [2, 2],
      "appeals.received": [1, 1],
      "appeals.upheld": [1, 1],
      "members.suspended": [2, 2],
    },
    medianDays: 4,
  });
  clock.advance(181 * DAY_MS);
  await destroyCases(ctx);
  const { months, medianDays } = await count();
  expect({ reports: months["reports.spam"], decisions: months["decisions.fraud.ban"], medianDays }).toEqual({
    reports: [2, 2],
    decisions: [2, 2],
    medianDays: 4,
  });
  const to = await mkdtemp(join(tmpdir(), "alcove-figures-"));
  onTestFinished(() => rm(to, { recursive: true }));
  const { code } = await operator(environmentOf(service), "transparency", "--year", "2027", "--to", to);
  expect(code).toBe(0);
  const csv = await readFile(join(to, "transparency-2027.csv"), "utf8");
  expect(csv).toMatch(/^decisions\.fraud\.ban,0,2,(?:0,){10}2\r$/m);
  expect(await readFile(join(to, "transparency-2027.html"), "utf8")).toContain("Median: 4 days.");
});
