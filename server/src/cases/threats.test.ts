import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { deleteAccount, getOwnUser } from "@alcove/contract/accounts";
import { appealCase, getCase, getReports } from "@alcove/contract/cases";
import { getOptions, getUser } from "@alcove/contract/discovery";
import { getLooks } from "@alcove/contract/looks";
import { getLastDms, unsendDm } from "@alcove/contract/messaging";
import { blockUser, getThreatEvidence, pressThreat, reportUser } from "@alcove/contract/safety";
import { DAY_MS, HOUR_MS } from "../platform/clock.ts";
import { BY_OTHER, decide } from "../testing/cases.ts";
import { logInAgain } from "../testing/log-in-again.ts";
import { hanakoAndTaro, match } from "../testing/match.ts";
import { write } from "../testing/member-calls.ts";
import { environmentOf, operator } from "../testing/operator.ts";
import { fileOf, quarters } from "../testing/sample-pictures.ts";
import {
  eventually,
  expectError,
  type TestMember,
  testService,
  type TestService,
} from "../testing/test-service.ts";
import { decideAppeal } from "./appeals.ts";
import { applyDecisions } from "./decide.ts";
import { endDecisions } from "./effects.ts";
import { considerFreeze } from "./freezes.ts";
import { listCases, lookAtCase, readFacts } from "./queue.ts";

const picture = await quarters().jpeg().toBuffer();
let service: TestService;
let pairs = 0;
beforeAll(async () => {
  service = await testService();
});

/** Hanako has got a threat from Taro. */
async function threatened() {
  const { hanako, taro } = await hanakoAndTaro(service, ++pairs);
  const threat = await write(taro, hanako, "Pay, or I tell.");
  await write(hanako, taro, "Please stop.");
  return { hanako, taro, threat };
}

const press = async (who: TestMember, about: TestMember, more = {}) =>
  (await who.call(pressThreat, { userId: about.user_id, ...more })).number;

async function caseAbout(accused: TestMember): Promise<number> {
  const rows = await service.db
    .selectFrom("cases")
    .select("case_no")
    .where("accused_no", "=", accused.memberId)
    .orderBy("sequence_no", "desc")
    .execute();
  return rows[0]!.case_no;
}

async function textsIn(caseNo: number): Promise<string[]> {
  const facts = await readFacts(service.ctx, caseNo);
  const chats = facts!.entries.filter(({ content }) => content?.kind === "chat");
  return chats.flatMap(({ content }) => content!.lines!.map(({ text }) => text ?? "[picture]"));
}

const texts = async (accused: TestMember) => textsIn(await caseAbout(accused));

test("copies the accused's messages, unsent ones and pictures too, and one's own only if ticked", async () => {
  const { hanako, taro } = await threatened();
  await write(taro, hanako, "Look.", { file: fileOf(picture) });
  const taken = await write(taro, hanako, "I know your wife.");
  await taro.call(unsendDm, { friendId: hanako.user_id, dmId: taken.id });
  await eventually(async () =>
    expect(await service.db.selectFrom("unsent_messages").select("pair").execute()).not.toEqual([]),
  );

  const number = await press(hanako, taro);

  const caseNo = await caseAbout(taro);
  expect(await texts(taro)).toEqual(["Pay, or I tell.", "Look.", "I know your wife."]);
  expect((await listCases(service.ctx, { limit: 1, offset: 0 }))[0]).toMatchObject({
    case_no: caseNo,
    kind: "threat",
    rank: 0,
  });
  expect((await hanako.call(getReports, {})).reports).toMatchObject([
    { number, reason: "threat", state: "received" },
  ]);
  expect(await press(hanako, taro, { ownMessages: true })).toBe(number);
  expect(await texts(taro)).toEqual(["Pay, or I tell.", "Look.", "I know your wife.", "Please stop."]);
  expect(await press(hanako, taro, { ownMessages: true })).toBe(number);
  expect(await texts(taro)).toHaveLength(4);
  expect(await caseAbout(taro)).toBe(caseNo);
});

test("needs a chat in which the accused wrote, and responds alike for all others", async () => {
  const { hanako, taro } = await hanakoAndTaro(service, ++pairs);
  await write(hanako, taro, "Good evening.");
  for (const userId of [taro.user_id, "nobody-here", hanako.user_id])
    await expectError(hanako.call(pressThreat, { userId }), "user_not_found");
  expect((await hanako.call(getLastDms, {})).dms).toHaveLength(1);

  await write(taro, hanako, "Pay.");
  expect(await press(hanako, taro)).toMatch(/^[1-9]\d{11}$/);
});

test("hides the member from everybody if they choose it, and parts the two as a block does", async () => {
  const { hanako, taro } = await threatened();
  await press(hanako, taro, { hide: true });

  expect((await hanako.call(getOwnUser, {})).user).toMatchObject({ paused: true, paused_until: null });
  const jiro = await service.member("jiro-hides", { paid: true });
  await expectError(jiro.call(getUser, { userId: hanako.user_id }), "user_not_found");
  await expectError(taro.call(getUser, { userId: hanako.user_id }), "user_not_found");
  expect(await hanako.call(getLastDms, {})).toMatchObject({ matches: [], dms: [], ended: [] });
});

test("presses back by the row of the ended match, also about a member who blocked or left", async () => {
  const { hanako, taro } = await threatened();
  await press(hanako, taro);
  const [row] = (await taro.call(getLastDms, {})).ended;
  await taro.call(pressThreat, { endedId: row!.id });
  expect(await texts(hanako)).toEqual(["Please stop."]);

  const other = await threatened();
  await other.taro.call(blockUser, { userId: other.hanako.user_id });
  await other.taro.call(deleteAccount, {});
  await press(other.hanako, other.taro);
  expect(await texts(other.taro)).toEqual(["Pay, or I tell."]);
});

test("keeps the evidence when the accused, the member or both delete their accounts", async () => {
  const { hanako, taro } = await threatened();
  await write(taro, hanako, "Look.", { file: fileOf(picture) });
  await press(hanako, taro, { ownMessages: true });
  const caseNo = await caseAbout(taro);

  await taro.call(deleteAccount, {});
  await hanako.call(deleteAccount, {});

  const chat = ["Pay, or I tell.", "Look.", "Please stop."];
  expect(await textsIn(caseNo)).toEqual(chat);
  expect((await readFacts(service.ctx, caseNo))?.accused?.standing).toBe("deleted");
  const { out } = await operator(environmentOf(service), "evidence", "show", String(caseNo));
  for (const text of chat) expect(out).toContain(text);
});

/** Two members whom Taro threatened, each with a number. */
async function twoVictims(options: Parameters<TestService["member"]>[1][] = []) {
  const id = ++pairs;
  const taro = await service.member(`taro-f${id}`, { paid: true, sex: "male" });
  const victims: TestMember[] = [];
  for (const [i, one] of [options[0], options[1]].entries()) {
    const victim = await service.member(`victim-${id}-${i}`, { paid: true, sex: "female", ...one });
    await match(victim, taro);
    await write(taro, victim, "Pay, or I tell.");
    victims.push(victim);
  }
  return { taro, victims };
}

const freezesOf = async (accused: TestMember) => {
  const rows = await service.db
    .selectFrom("case_decisions as d")
    .innerJoin("cases as c", "c.case_no", "d.case_no")
    .select(["d.state", "d.effective_at", "d.ends_at"])
    .where("c.accused_no", "=", accused.memberId)
    .where("d.decision", "=", "freeze")
    .execute();
  return rows;
};

test("freezes at the next full hour after two presses, until a person decides or for 72 hours", async () => {
  service.clock.set("2031-05-05T12:50:00Z");
  const { taro: joined, victims } = await twoVictims();
  const [first, second] = victims;
  await write(first!, joined, "Stop.");
  await press(first!, joined);
  await considerFreeze(service.ctx, joined.memberId);
  expect(await freezesOf(joined)).toEqual([]);
  await press(second!, joined);
  await eventually(async () => expect(await freezesOf(joined)).toHaveLength(1));

  await applyDecisions(service.ctx);
  await joined.call(getOwnUser, {});
  service.clock.set("2031-05-05T13:00:04Z");
  await applyDecisions(service.ctx);

  await expectError(joined.call(getOwnUser, {}), "account_suspended");
  const taro = await logInAgain(service, joined);
  await expectError(taro.call(getOwnUser, {}), "account_suspended");
  const { case: own, ended } = await taro.call(getCase, {});
  expect(own).toMatchObject({ decision: "freeze", rule: "threat", until: "2031-05-08T13:00:00.000Z" });
  expect(JSON.stringify(own)).not.toMatch(/victim|Pay/);
  expect(ended).toHaveLength(2);
  const pressed = await Promise.allSettled(ended.map(({ id }) => taro.call(pressThreat, { endedId: id })));
  expect(pressed.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect(await texts(first!)).toEqual(["Stop."]);
  await taro.call(reportUser, { userId: first!.user_id, reason: "other", detail: "She writes to my wife." });

  service.clock.set("2031-05-08T12:59:00Z");
  await endDecisions(service.ctx);
  await expectError((await logInAgain(service, joined)).call(getOwnUser, {}), "account_suspended");
  service.clock.set("2031-05-08T13:00:00Z");
  await endDecisions(service.ctx);
  await (await logInAgain(service, joined)).call(getOwnUser, {});
  await considerFreeze(service.ctx, joined.memberId);
  expect(await freezesOf(joined)).toHaveLength(1);
});

test("ends a freeze when a person finds no breach, and keeps it until a suspension is announced", async () => {
  for (const [decision, isOpen] of [
    ["none", true],
    ["suspend", false],
  ] as const) {
    service.clock.set("2032-05-05T12:20:00Z");
    const { taro, victims } = await twoVictims();
    for (const victim of victims) await press(await logInAgain(service, victim), taro);
    await eventually(async () => expect(await freezesOf(taro)).toHaveLength(1));
    service.clock.set("2032-05-05T13:00:00Z");
    await applyDecisions(service.ctx);
    const number = await caseAbout(taro);
    await lookAtCase(service.ctx, number);

    expect(await decide(service.ctx, number, { decision, rule: "threat" })).toBe(true);
    await applyDecisions(service.ctx);
    await endDecisions(service.ctx);

    expect((await freezesOf(taro))[0]!.state).toBe("over");
    const again = await logInAgain(service, taro);
    if (isOpen) await again.call(getOwnUser, {});
    else expect((await again.call(getCase, {})).cases.map((one) => one.decision)).toEqual(["suspend"]);
  }
});

test("freezes nobody for two members of one network, inviter or mailbox", async () => {
  service.clock.set("2033-05-05T12:20:00Z");
  const inviter = await service.member(`inviter-${++pairs}`, { at: null });
  const networks = (members: readonly TestMember[]) =>
    service.db
      .insertInto("sign_up_networks")
      .values(
        members.map(({ memberId }) => ({
          network_digest: Buffer.alloc(32, 7),
          member_no: memberId,
          signed_up_on: "2033-05-05",
          waits_until: null,
        })),
      )
      .execute();
  const shared = {
    network: [{}, {}],
    inviter: [{ invitedBy: inviter.memberId }, { invitedBy: inviter.memberId }],
    mailbox: [{ email: "one.box@gmail.com" }, { email: "onebox+2@gmail.com" }],
  };
  for (const [name, options] of Object.entries(shared)) {
    const { taro, victims } = await twoVictims(options);
    if (name === "network") await networks(victims);
    for (const victim of victims) await press(victim, taro);
    await considerFreeze(service.ctx, taro.memberId);
    expect(await freezesOf(taro), name).toEqual([]);
  }
});

test("counts presses as reports after three that a person found false", async () => {
  service.clock.set("2034-05-05T12:20:00Z");
  const liar = await service.member(`liar-${++pairs}`, { paid: true, sex: "female" });
  const honest = await service.member(`honest-${pairs}`, { paid: true, sex: "female" });
  const kinds: string[] = [];
  for (let i = 0; i < 4; i++) {
    const him = await service.member(`him-${pairs}-${i}`, { paid: true, sex: "male" });
    for (const her of [liar, honest]) {
      await match(her, him);
      await write(him, her, "Good evening.");
    }
    await press(liar, him);
    const caseNo = await caseAbout(him);
    const facts = await lookAtCase(service.ctx, caseNo);
    kinds.push(facts!.kind);
    if (i < 3) await decide(service.ctx, caseNo, { decision: "none", rule: "other" });
    else {
      await press(honest, him);
      await considerFreeze(service.ctx, him.memberId);
      expect(await freezesOf(him)).toEqual([]);
    }
  }
  expect(kinds).toEqual(["threat", "threat", "threat", "report"]);
});

test("waits for a decision after a new press, also when the earlier appeal is decided, and shows its looks later", async () => {
  service.clock.set("2034-06-05T12:20:00Z");
  const { hanako, taro: before } = await threatened();
  await press(hanako, before);
  const caseNo = await caseAbout(before);
  const show = () => operator(environmentOf(service), "cases", "show", String(caseNo));
  await show();
  await decide(service.ctx, caseNo, { decision: "warn", rule: "threat" });
  service.clock.set("2034-06-05T13:00:00Z");
  await applyDecisions(service.ctx);
  const taro = await logInAgain(service, before);
  await taro.call(appealCase, { text: "She lies." });
  const looks = await taro.call(getLooks, {});

  await press(await logInAgain(service, hanako), taro, { ownMessages: true });
  await show();
  await decideAppeal(service.ctx, caseNo, { outcome: "uphold", reason: "it is proven", by: BY_OTHER });

  expect(await taro.call(getLooks, {})).toEqual(looks);
  expect(await decide(service.ctx, caseNo, { decision: "ban", rule: "threat" })).toBe(true);
});

test("gives the evidence file to the operator, and to the member once the threat is confirmed; detects changes", async () => {
  service.clock.set("2035-05-05T12:20:00Z");
  const { hanako, taro, threat } = await threatened();
  const number = await press(hanako, taro);
  const [env, path] = [environmentOf(service), join(service.dataDir, "evidence.txt")];
  await expectError(hanako.call(getThreatEvidence, { number }), "not_found");

  expect((await operator(env, "evidence", "export", number, "--to", path)).code).toBe(0);

  const file = await readFile(path, "utf8");
  expect(file).toContain(`2035-05-05T12:20:00.000Z  reported  ${threat.id}\n  Pay, or I tell.`);
  const log = await service.db.selectFrom("operator_log").select("action").execute();
  expect(log.map(({ action }) => action)).toContain(`evidence show ${number}`);
  expect((await operator(env, "evidence", "verify", path)).out).toContain("genuine");
  for (const changed of [
    file.replace("Pay", "Day"),
    file.replace(/Signature: ./, "Signature: "),
    `x${file}`,
  ]) {
    await writeFile(path, changed);
    expect((await operator(env, "evidence", "verify", path)).code).toBe(1);
  }
  const caseNo = await caseAbout(taro);
  await lookAtCase(service.ctx, caseNo);
  await decide(service.ctx, caseNo, { decision: "ban", rule: "threat" });
  expect((await hanako.call(getThreatEvidence, { number })).file).toBe(file);
  await expectError(taro.call(getThreatEvidence, { number }), "not_found");
});

test("counts threats that no operator has looked at, for the alert", async () => {
  const { hanako, taro } = await threatened();
  const waiting = async () =>
    Number(/^alcove_threats_waiting (\d+)$/m.exec(await service.ctx.metrics.registry.metrics())![1]);
  const before = await waiting();
  await press(hanako, taro);
  expect(await waiting()).toBe(before + 1);
  await lookAtCase(service.ctx, await caseAbout(taro));
  expect(await waiting()).toBe(before);
  service.clock.advance(HOUR_MS + DAY_MS);
  expect((await (await logInAgain(service, taro)).call(getOptions, {})).options).toBeDefined();
});
