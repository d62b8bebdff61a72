import { afterAll, expect, test } from "vitest";
import { changePassword, resetPassword } from "@alcove/contract/passwords";
import { startMailbox } from "@alcove/test-services/mail";
import { findPasswordHash } from "../../members/members.sql.ts";
import { ApiError } from "../../platform/errors.ts";
import { serviceForTest } from "../../testing/service-for-test.ts";
import { requestResetCodeFor } from "../../testing/sign-up.ts";
import type { TestMember, TestService } from "../../testing/test-service.ts";
import { openSession, suspendMember } from "../index.ts";

const mailbox = await startMailbox();
afterAll(() => mailbox.close());
const PAIRS = 12;
const OLD = "quiet-evenings-7";
const NEW = "louder-mornings-8";

const emailOf = ({ user_id }: TestMember) => `${user_id}@example.com`;

async function prepareReset(service: TestService, member: TestMember) {
  const email = emailOf(member);
  const code = await requestResetCodeFor(service, mailbox, email);
  return () => service.call(resetPassword, { email, code, password: NEW, passwordConfirmation: NEW });
}

async function prepareChange(_: TestService, member: TestMember) {
  return () => member.call(changePassword, { password: OLD, newPassword: NEW, newPasswordConfirmation: NEW });
}

async function prepareSuspension({ ctx }: TestService, { memberId }: TestMember) {
  return () => suspendMember(ctx, memberId);
}

/** Opens sessions with the old password before and until `act` is done. Returns their access tokens. */
async function logInDuring(
  { ctx, db }: TestService,
  memberId: number,
  act: () => Promise<unknown>,
): Promise<string[]> {
  const passwordHash = await findPasswordHash(db, memberId);
  const opened: string[] = [];
  const begun = Promise.withResolvers<void>();
  const end = new AbortController();
  const logIn = async () => {
    while (!end.signal.aborted) {
      try {
        opened.push((await openSession(ctx, memberId, { passwordHash })).access);
        begun.resolve();
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
      }
    }
  };
  const loggingIn = Promise.all([logIn(), logIn()]);
  await begun.promise;
  await act().finally(() => end.abort());
  await loggingIn;
  return opened;
}

test.each([
  ["a reset of the password", prepareReset],
  ["a change of the password", prepareChange],
  ["a suspension", prepareSuspension],
])("opens no lasting session when logins race %s", async (_, prepare) => {
  const service = await serviceForTest({ config: { smtpUrl: mailbox.url } });
  const names = Array.from({ length: PAIRS }, (_unused, i) => `racer${i}`);
  const members = await Promise.all(
    names.map((name) => service.member(name, { at: null, password: OLD, email: `${name}@example.com` })),
  );
  const acts = await Promise.all(members.map((member) => prepare(service, member)));

  const opened = await Promise.all(
    members.map(({ memberId }, i) => logInDuring(service, memberId, acts[i]!)),
  );

  expect(opened.every(({ length }) => length > 0)).toBe(true);
  const outcomes = await Promise.allSettled(opened.flat().map((access) => service.ctx.authenticate(access)));
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toEqual([]);
});
