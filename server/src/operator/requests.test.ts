import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findAccount, getLog, logOutAccount, lookUpMember, removeAccount } from "@alcove/contract/console";
import { approveRequest, getRequests, rejectRequest } from "@alcove/contract/console-requests";
import { getSessions } from "@alcove/contract/accounts";
import { operatorOf } from "../testing/console.ts";
import { environmentOf, operator } from "../testing/operator.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { expectError, type TestService } from "../testing/test-service.ts";
import { DAY_MS } from "../platform/clock.ts";

const options = { config: { consolePort: 0 } };
const because = "asked for by email";

const commandLine = (service: TestService, ...words: string[]) => operator(environmentOf(service), ...words);

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "alcove-keys-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test("finds a member by email, and logs them out, without the address in the log", async () => {
  const service = await serviceForTest(options);
  const hanako = await service.member("hanako", { at: null });
  const sato = await operatorOf(service, "Sato");

  const { member } = await sato.call(findAccount, { email: "HANAKO@example.com", reason: because });
  expect(member).toMatchObject({ user_id: "hanako", sessions: 1 });
  await expectError(sato.call(findAccount, { email: "no@example.com", reason: because }), "user_not_found");
  const after = await sato.call(logOutAccount, { userId: "hanako", reason: because });

  expect(after.member.sessions).toBe(0);
  await expectError(hanako.call(getSessions, {}), "login_required");
  const { entries } = await sato.call(getLog, {});
  expect(entries.slice(1, 4).map(({ action, subject }) => [action, subject])).toEqual([
    ["members log-out", "hanako"],
    ["members find", null],
    ["members find", "hanako"],
  ]);
});

test("deletes a member by the command line alone while no operator has a passkey", async () => {
  const service = await serviceForTest(options);
  await service.member("hanako", { at: null });

  const { code, out } = await commandLine(service, "members", "delete", "hanako", "--json");

  expect([code, out]).toEqual([0, expect.stringContaining('"standing":"deleted"')]);
});

test("deletes a member when another operator agrees, and never by the first one alone", async () => {
  const service = await serviceForTest(options);
  await service.member("hanako", { at: null });
  const sato = await operatorOf(service, "Sato");
  const suzuki = await operatorOf(service, "Suzuki");

  for (let i = 0; i < 2; i++)
    expect(await sato.call(removeAccount, { userId: "hanako", reason: because })).toEqual({
      removed: "waiting",
    });
  const [own, ...more] = (await sato.call(getRequests, {})).requests;
  expect([own!.is_own, more]).toEqual([true, []]);
  const { id } = own!;
  await expectError(sato.call(approveRequest, { id, reason: because }), "not_found");
  await sato.call(lookUpMember, { userId: "hanako", reason: because });
  expect((await suzuki.call(getRequests, {})).requests).toMatchObject([
    { action: "members delete", user_id: "hanako", reason: because, operator: "Sato", is_own: false },
  ]);
  const agreed = await Promise.allSettled([
    suzuki.call(approveRequest, { id, reason: "I agree" }),
    suzuki.call(approveRequest, { id, reason: "I agree" }),
  ]);

  expect(agreed.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  await expectError(sato.call(lookUpMember, { userId: "hanako", reason: because }), "user_not_found");
  expect((await suzuki.call(getRequests, {})).requests).toEqual([]);
});

test("counts the command line as one operator: it waits for the console, and agrees to it", async () => {
  const service = await serviceForTest(options);
  await service.member("hanako", { at: null });
  await service.member("taro", { at: null });
  const sato = await operatorOf(service, "Sato");

  const asked = await commandLine(service, "members", "delete", "hanako", "--reason", because);
  expect([asked.code, asked.problems]).toEqual([1, expect.stringContaining("approvals approve")]);
  const { id } = (await sato.call(getRequests, {})).requests[0]!;
  expect((await commandLine(service, "approvals", "approve", id)).code).toBe(1);
  await sato.call(approveRequest, { id, reason: "I agree" });
  expect((await commandLine(service, "members", "show", "hanako")).code).toBe(1);

  await sato.call(removeAccount, { userId: "taro", reason: because });
  const { out } = await commandLine(service, "approvals", "list", "--json");
  const [request] = JSON.parse(out) as [{ id: string; operator: string }];
  expect(request.operator).toBe("Sato");
  expect((await commandLine(service, "approvals", "approve", request.id)).code).toBe(0);
  expect((await commandLine(service, "members", "show", "taro")).code).toBe(1);
});

test("imports a payout by hand after an agreement, which counts once and for the same payout", async () => {
  const service = await serviceForTest(options);
  await service.member("hanako", { at: null });
  const sato = await operatorOf(service, "Sato");
  const fixed = ["--currency", "USD", "--sender-id", "0b0e4ad2-6a2b-4f0e-9a39-4c2d7cf1a001"];
  const importPayout = (amount: string) =>
    commandLine(service, "payouts", "import", "hanako", "--amount", amount, ...fixed, "--reason", because);

  expect((await importPayout("16.00")).code).toBe(1);
  const [request] = (await sato.call(getRequests, {})).requests;
  expect(request).toMatchObject({ action: "payouts import", user_id: "hanako", operator: null });
  await sato.call(approveRequest, { id: request!.id, reason: "seen at PayPal" });

  expect((await importPayout("99.00")).code).toBe(1);
  expect((await importPayout("16.00")).code).toBe(0);
  expect((await importPayout("16.00")).code).toBe(1);
});

test("backs up keys after an agreement, nightly for 90 days, and only into the agreed place", async () => {
  const service = await serviceForTest(options);
  const sato = await operatorOf(service, "Sato");
  const folder = await temporaryFolder();
  const request = async () => (await sato.call(getRequests, {})).requests[0]!;

  const backUp = (to = folder) => commandLine(service, "keys", "backup", "--to", to);
  expect((await backUp()).code).toBe(1);
  await sato.call(approveRequest, { id: (await request()).id, reason: "a new disk" });
  const days = (Date.parse((await request()).until) - service.clock.now().getTime()) / DAY_MS;
  expect(Math.round(days)).toBe(90);
  expect((await backUp()).code).toBe(0);
  expect((await backUp(join(folder, "elsewhere.tar"))).code).toBe(1);

  await sato.call(rejectRequest, { id: (await request()).id, reason: "no more" });
});
