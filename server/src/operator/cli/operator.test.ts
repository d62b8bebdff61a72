import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { getOwnUser, logIn } from "@alcove/contract/accounts";
import { getOptions } from "@alcove/contract/discovery";
import { sendDm } from "@alcove/contract/messaging";
import { closeCodes } from "@alcove/contract/close-codes";
import { transferBrokerage } from "@alcove/contract/referral";
import { getReports } from "@alcove/contract/cases";
import { reportUser } from "@alcove/contract/safety";
import { deleteOldOperatorActions, logOperatorAction, readOperatorActions } from "../../accounts/index.ts";
import { DAY_MS } from "../../platform/clock.ts";
import { readOpenReports } from "../../testing/cases.ts";
import { startPostgres } from "../../platform/embedded-postgres/server.ts";
import { UsageError } from "./command-line.ts";
import { helpFor, parseCommand } from "./commands/index.ts";
import { hanakoAndTaro } from "../../testing/match.ts";
import { serviceForTest } from "../../testing/service-for-test.ts";
import { environmentOf, operator, operatorReading } from "../../testing/operator.ts";
import { buy, fakePayPalForFile } from "../../testing/paypal.ts";
import { temporaryFolder } from "../../testing/restore-target.ts";
import { corners, cornersOf, fileOf, quarters } from "../../testing/sample-pictures.ts";
import { eventually, expectError } from "../../testing/test-service.ts";
import { formatOutput } from "./output.ts";

const { paypal, config } = await fakePayPalForFile();

test("shows a member and grants a membership once per grant id", async () => {
  const service = await serviceForTest();
  const env = environmentOf(service);
  const hanako = await service.member("Hanako", { at: null });
  const grant = [
    "members",
    "grant",
    "hanako",
    "--year",
    "1",
    "--month",
    "2",
    "--json",
    "--reason",
    "bank transfer",
  ];
  const id = ["--grant-id", "0b0e4ad2-6a2b-4f0e-9a39-4c2d7cf1a001"];

  const before = await operator(env, "members", "show", "HANAKO");
  const first = await operator(env, ...grant, ...id);
  const again = await operator(env, ...grant, ...id);

  expect(before).toMatchObject({ code: 0, problems: "" });
  expect(before.out).toMatch(/^user_id: Hanako\nstanding: active\n/);
  expect(before.out).toContain("paid_account_expired_at: -\nmembership: free\n");
  expect(JSON.parse(again.out)).toEqual(JSON.parse(first.out));
  const { user } = await hanako.call(getOwnUser, {});
  expect(user.status).toBe("paid");
  expect(JSON.parse(first.out)).toMatchObject({ paid_account_expired_at: user.paid_account_expired_at });
  const log = await readOperatorActions(service.ctx, null);
  expect(log).toContainEqual(
    expect.objectContaining({
      action: "members grant year=1 month=2 id=0b0e4ad2-6a2b-4f0e-9a39-4c2d7cf1a001",
      subject: "Hanako",
      reason: "bank transfer",
    }),
  );
});

test("shows membership, money, reports and sessions of a member, but no texts", async () => {
  const service = await serviceForTest({ config });
  service.clock.set("2026-03-10T00:00:00Z");
  const { hanako, taro } = await hanakoAndTaro(service);
  await service.db
    .updateTable("members")
    .set({ invited_by: hanako.memberId })
    .where("member_no", "=", taro.memberId)
    .execute();
  const { order_id } = await buy(paypal, taro, { year: 1 });
  await hanako.call(sendDm, { receiverId: "taro", description: "Good evening." });
  await taro.call(reportUser, { userId: "hanako", reason: "other", detail: "She sells carpets." });
  await hanako.call(reportUser, { userId: "taro", reason: "fake", detail: "A film star." });
  await hanako.call(transferBrokerage, { email: "payee@example.com", price: 16 });
  const act = async (...words: string[]) => {
    const { run, reason } = parseCommand(words)!;
    return run(service.ctx, reason, { databaseUrl: service.databaseUrl });
  };
  const [made] = (await act("cases", "list")) as { number: string }[];
  await act("cases", "decide", made!.number, "--decision", "none", "--rule", "other", "--reason", "a joke");

  const his = await act("members", "show", "taro", "--reason", "ticket 8");
  const hers = await act("members", "show", "hanako");

  expect(his).toMatchObject({
    user_id: "taro",
    standing: "active",
    membership: "paid",
    paid_account_expired_at: "2028-03-10T00:00:00.000Z",
    sessions: "1",
    available: "0.00 USD",
    reports_made: "1",
    reports_received: "1",
    grants: [
      { source: "operator" },
      { source: "order", year: "1", month: "0", taken_months: "0", coupon: null },
    ],
    orders: [{ id: order_id, price: "80 USD", state: "completed" }],
    transfers: [],
  });
  expect(hers).toMatchObject({
    membership: "paid",
    available: "0.00 USD",
    received: "16.00 USD",
    grants: [{ source: "operator" }],
    orders: [],
    transfers: [{ amount: "16.00 USD", state: "accepted" }],
  });
  const reportsOf = (output: unknown) =>
    (output as { reports: { id: string; side: string; state: string }[] }).reports
      .map(({ side, state }) => `${side} ${state}`)
      .toSorted();
  // Taro's report is the first case.
  expect(reportsOf(his)).toEqual(["made none", "received open"]);
  expect(reportsOf(hers)).toEqual(["made open", "received none"]);
  for (const words of ["example.com", "evening", "carpets", "film"])
    expect(JSON.stringify([his, hers])).not.toContain(words);
  expect(formatOutput(his)).toMatch(
    /\ngrants:\n  id +at +source +year .*\n  \S+ +2026-03-10\S+ +operator +1 .*\n  \S+ +2026-03-10\S+ +order +1 +0 +0 +-\norders:\n  id /,
  );
  expect(formatOutput(his)).toContain("\ntransfers: -\n");
  const log = await readOperatorActions(service.ctx, null);
  expect(log).toContainEqual(
    expect.objectContaining({ action: "members show", subject: "taro", reason: "ticket 8" }),
  );
});

test("disconnects a suspended member at once and lets a restored one in while the server runs", async () => {
  const service = await serviceForTest();
  const env = environmentOf(service);
  const hanako = await service.member("hanako", { password: "quiet-evenings-7" });
  const taro = await service.member("taro");
  const socket = await hanako.socket("/ws/events");
  await eventually(() => expect(service.ctx.sockets.count).toBe(1));

  const suspended = await operator(env, "members", "suspend", "hanako", "--json");
  expect(JSON.parse(suspended.out)).toMatchObject({ user_id: "hanako", standing: "suspended" });
  await expectError(hanako.call(getOwnUser, {}), "account_suspended");
  await eventually(() => expect(socket.closed).toBe(closeCodes.badToken));
  expect((await taro.call(getOptions, {})).options).toEqual([]);

  const restored = await operator(env, "members", "restore", "hanako", "--json");
  expect(JSON.parse(restored.out)).toMatchObject({ standing: "active" });
  await service.call(logIn, { user_id: "hanako", password: "quiet-evenings-7" });
  expect((await taro.call(getOptions, {})).options).toHaveLength(1);
});

test("ends all sessions of a member, who may log in again, while the server runs", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { at: null, password: "quiet-evenings-7" });
  const taro = await service.member("taro", { at: null });
  const { access } = await service.call(logIn, { user_id: "hanako", password: "quiet-evenings-7" });
  const socket = await hanako.socket("/ws/events");

  const ended = await operator(environmentOf(service), "members", "log-out", "hanako", "--json");

  expect(JSON.parse(ended.out)).toMatchObject({ user_id: "hanako", standing: "active" });
  await eventually(() => expect(socket.closed).toBe(closeCodes.badToken));
  for (const session of [hanako, service.memberAt({ ...hanako, access })])
    await expectError(session.call(getOwnUser, {}), "login_required");
  await service.call(logIn, { user_id: "hanako", password: "quiet-evenings-7" });
  await taro.call(getOwnUser, {});
});

test("finds a member by the email address on standard input, and does not log the address", async () => {
  const service = await serviceForTest();
  await service.member("Hanako", { at: null, email: "hanako@example.com" });
  const env = environmentOf(service);
  const find = ["members", "find", "--json", "--reason", "ticket 7"];
  const act = async (...words: string[]) => {
    const { run, reason } = parseCommand(words)!;
    return run(service.ctx, reason, { databaseUrl: service.databaseUrl });
  };

  const [hers, nobodys] = await Promise.all([
    operatorReading("HANAKO@example.com\n", env, ...find),
    operatorReading("nobody@example.com", env, ...find),
  ]);
  expect(JSON.parse(hers.out)).toMatchObject({ user_id: "Hanako" });
  expect(nobodys).toEqual({ code: 1, out: "", problems: "No member has this address.\n" });
  const found = await act("log", "list", "--member", "hanako");
  const all = await act("log", "list");

  expect(found).toContainEqual({
    at: expect.any(String),
    operator: null,
    action: "members find",
    subject: "Hanako",
    reason: "ticket 7",
  });
  expect(all).toHaveLength(4);
  expect(JSON.stringify(all)).not.toContain("example.com");
});

test("deletes log entries after a year, with the keys of their reasons", async () => {
  const service = await serviceForTest();
  const { ctx, db } = service;
  const hanako = await service.member("hanako");
  await logOperatorAction(ctx, "backup", null, "old");
  await logOperatorAction(ctx, "members show", hanako, "of Hanako");
  service.clock.advance(200 * DAY_MS);
  await logOperatorAction(ctx, "coupons list", null, "new");
  const keyIds = async () =>
    (await db.selectFrom("data_keys").select("key_id").where("key_id", "<", -1_000_000).execute()).length;
  expect(await keyIds()).toBe(2);

  service.clock.advance(166 * DAY_MS);
  await deleteOldOperatorActions(ctx);

  expect(await readOperatorActions(ctx, null)).toMatchObject([{ action: "coupons list", reason: "new" }]);
  expect(await keyIds()).toBe(1);
  const member = db.selectFrom("data_keys").select("key_id").where("key_id", "=", hanako.memberId);
  expect(await member.execute()).toHaveLength(1);
});

test("deletes a member", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { at: null });

  const deleted = await operator(environmentOf(service), "members", "delete", "hanako");
  const shown = await operator(environmentOf(service), "members", "show", "hanako");

  expect(deleted.out).toContain("standing: deleted");
  expect(shown).toEqual({ code: 1, out: "", problems: 'There is no member "hanako".\n' });
  await expectError(hanako.call(getOwnUser, {}), "login_required");
});

test("lists, shows and decides cases, also by the number of a report, and logs each", async () => {
  const service = await serviceForTest();
  const env = environmentOf(service);
  const hanako = await service.member("hanako", { at: null });
  await service.member("Taro", { at: null });
  await hanako.call(reportUser, { userId: "taro", reason: "fake", detail: "That is a film star." });
  const [{ number: own } = { number: "" }] = (await hanako.call(getReports, {})).reports;

  const listed = await operator(env, "cases", "list", "--json");
  const [one] = JSON.parse(listed.out) as { number: string }[];
  const shown = await operator(env, "cases", "show", own, "--json");
  const decision = ["--decision", "warn", "--rule", "picture"];
  const unreasoned = await operator(env, "cases", "decide", one!.number, ...decision);
  const decide = () =>
    operator(env, "cases", "decide", one!.number, ...decision, "--reason", "asked for a picture");
  const decided = await decide();
  const again = await decide();
  const unknown = await operator(env, "cases", "show", "100000000001");

  expect(one).toMatchObject({ kind: "report", state: "open", reason: "fake", reports: "1", message: "no" });
  expect(JSON.parse(shown.out)).toMatchObject({
    number: one!.number,
    accused: "Taro",
    standing: "active",
    entries: [
      { report: own, reason: "fake", reporter: "hanako", detail: "That is a film star.", evidence: null },
      { report: null, evidence: "profile" },
    ],
  });
  expect(unreasoned).toMatchObject({ code: 1, problems: "The decision needs --reason.\n" });
  expect(decided).toMatchObject({ code: 0, problems: "" });
  expect(decided.out).toMatch(/warn +picture +asked for a picture +waiting/);
  expect(again).toMatchObject({ code: 1, problems: `Case ${one!.number} is decided.\n` });
  expect(JSON.parse((await operator(env, "cases", "list", "--json")).out)).toEqual([]);
  expect(unknown).toMatchObject({ code: 1, out: "" });
  const log = await readOperatorActions(service.ctx, null);
  for (const action of ["cases list", `cases open ${one!.number}`])
    expect(log).toContainEqual(expect.objectContaining({ action, reason: null }));
  expect(log).toContainEqual(
    expect.objectContaining({ action: `cases warn ${one!.number}`, reason: "asked for a picture" }),
  );
  expect(JSON.stringify(log)).not.toContain("film star");
});

test("writes the picture of a reported message to a new file, and logs it", async () => {
  const service = await serviceForTest();
  const env = environmentOf(service);
  const { hanako, taro } = await hanakoAndTaro(service);
  const { dm } = await taro.call(sendDm, {
    receiverId: "hanako",
    file: fileOf(await quarters().jpeg().toBuffer()),
  });
  await hanako.call(reportUser, { userId: "taro", reason: "harassment", dmId: dm.id });
  await hanako.call(reportUser, { userId: "taro", reason: "fake" });
  const reports = await readOpenReports(service.ctx);
  const number = String(reports[0]!.caseNo);
  const without = reports.find(({ message }) => message === null);
  const path = join(await temporaryFolder(), "evidence.jpg");
  const save = (...more: string[]) => operator(env, "cases", "picture", number, "--to", path, ...more);

  const missing = await save("--entry", without!.entryId);
  const saved = await save("--reason", "reported to the police");
  const again = await save();

  expect(missing).toMatchObject({ code: 1, out: "", problems: expect.stringContaining("no such picture") });
  expect(saved).toEqual({ code: 0, out: `number: ${number}\npath: ${path}\n`, problems: "" });
  expect(await cornersOf(await readFile(path))).toEqual(corners);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(again).toMatchObject({ code: 1, out: "", problems: `${path} already exists.\n` });
  expect(await readOperatorActions(service.ctx, null)).toContainEqual(
    expect.objectContaining({ action: `cases picture ${number}`, reason: "reported to the police" }),
  );
});

test.each([
  "cases",
  "cases list x",
  "cases show",
  "cases show seven",
  "cases picture 100000000001",
  "cases picture 100000000001 --entry seven --to x",
  "cases decide 100000000001 --decision none",
  "cases decide 100000000001 --decision hang --rule other",
  "cases decide 100000000001 --decision limit --rule other",
  "cases decide 100000000001 --decision limit --rule other --days 31",
  "cases decide 100000000001 --decision warn --rule other --days 3",
  "cases decide 100000000001 --decision remove --rule other",
  "cases decide 100000000001 --decision remove --rule other --content all",
  "cases decide 100000000001 --decision warn --rule other --content text",
  "cases appeal 100000000001 --decision warn",
  "cases open",
  "cases list --year 1",
  "members",
  "members promote x",
  "members grant x",
  "members grant x --year -1",
  "members grant x --year 1e3",
  "members grant x --year 10 --month 1",
  "members grant x --year 1 --grant-id 7",
  "members show x y",
  "members show x --year 1",
  "coins",
  "constructor show",
  "members constructor",
  "coupons create",
  "coupons create --id X --year 1 --max-uses 3 --expires-at 2030-01-01",
  "coupons create --id SPRING --max-uses 3 --expires-at 2030-01-01",
  "coupons create --id SPRING --year 1 --expires-at 2030-01-01",
  "coupons create --id SPRING --year 1 --max-uses 3",
  "coupons create --id SPRING --year 1 --max-uses 3 --expires-at tomorrow",
  "coupons create --id SPRING --year 1 --max-uses 3 --expires-at 2030-01-01T10:00",
  "coupons create --id SPRING --year 1 --max-uses 3 --expires-at 2030-01-01 x",
  "coupons create --id SPRING --year 1 --max-uses 3 --expires-at 2030-01-01 --grant-id x",
  "coupons list x",
  "coupons disable",
  "coupons disable a,b",
  "orders list x",
  "orders list --year 1",
  "orders reconcile seven",
  "payouts import --amount 16.00 --currency USD --batch B",
  "payouts import x --currency USD --batch B",
  "payouts import x --amount 16.00 --batch B",
  "payouts import x --amount 16.00 --currency EUR --batch B",
  "payouts import x --amount 16.001 --currency USD --batch B",
  "payouts import x --amount -16 --currency USD --batch B",
  "payouts import x --amount 9.99 --currency USD --batch B",
  "payouts import x --amount 16 --currency USD",
  "payouts import x --amount 16 --currency USD --batch B --item I",
  "payouts import x --amount 16 --currency USD --batch B/../C",
  "payouts import x --amount 16 --currency USD --sender-id 7",
  "members show x --odd",
  "members find hanako@example.com",
  "members find --email hanako@example.com",
  "log list x",
  "backup",
  "backup --to",
  "backup now --to x",
  "backup check",
  "restore",
  "payments",
])("rejects the arguments: %s", (line) => {
  expect(() => parseCommand(line.split(" "))).toThrow(UsageError);
});

test("prints the help page for invalid arguments", async () => {
  const wrong = await operator({}, "members", "promote", "hanako");
  const help = await operator({}, "--help");

  expect(wrong).toMatchObject({ code: 2, out: "" });
  expect(wrong.problems).toContain("npm run operator -- members show USER_ID");
  expect(help).toMatchObject({ code: 0, problems: "" });
  expect(help.out).toContain("cannot be undone");
  expect(helpFor(["coupons"])).toContain("coupons disable ID");
  expect(helpFor(["coupons"])).not.toContain("members show");
});

test("names a data folder that cannot be created", async () => {
  const { code, problems } = await operator({ DATA_DIR: "/proc/nope" }, "members", "show", "nobody");

  expect(code).toBe(1);
  expect(problems).toMatch(/^DATA_DIR \/proc\/nope cannot be created[^\n]*\n$/);
});

test("uses the running embedded database and starts it otherwise", { tags: "long" }, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "alcove-operator-"));
  const postgres = await startPostgres({ dataDir, forTests: true });

  const running = await operator({ DATA_DIR: dataDir }, "members", "show", "nobody");
  await postgres.stop();
  const stopped = await operator({ DATA_DIR: dataDir }, "members", "show", "nobody");
  const startable = await startPostgres({ dataDir, forTests: true });
  await startable.stop();
  await rm(dataDir, { recursive: true });

  expect(running).toEqual({ code: 1, out: "", problems: 'There is no member "nobody".\n' });
  expect(stopped).toEqual(running);
});
