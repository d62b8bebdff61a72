import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { refreshTokens } from "@alcove/contract/accounts";
import { changePassword, resetPassword } from "@alcove/contract/passwords";
import { startMailbox } from "@alcove/test-services/mail";
import { ApiError } from "../../platform/errors.ts";
import { CLUSTER } from "../../testing/cluster-database.ts";
import { serviceForTest } from "../../testing/match.ts";
import { requestResetCodeFor } from "../../testing/sign-up.ts";
import { expectError, type TestMember, type TestService } from "../../testing/test-service.ts";
import { openSession, suspendMember } from "../index.ts";

const mailbox = await startMailbox();
afterAll(() => mailbox.close());
const OLD = "quiet-evenings-7";
const NEW = "louder-mornings-8";
const EMAIL = "hanako@example.com";

/** Like a shard that shows the session only after the transaction that ends it. */
async function missOnce({ db }: TestService): Promise<void> {
  await sql`create table misses (session_id uuid primary key)`.execute(db);
  await sql`insert into misses select session_id from sessions`.execute(db);
  await sql`
    create function miss() returns trigger language plpgsql as $$
    begin
      delete from misses where session_id = new.session_id;
      if found then return null; end if;
      return new;
    end $$`.execute(db);
  await sql`create trigger miss before update on sessions for each row execute function miss()`.execute(db);
}

async function reset(service: TestService): Promise<void> {
  const code = await requestResetCodeFor(service, mailbox, EMAIL);
  await service.call(resetPassword, { email: EMAIL, code, password: NEW, passwordConfirmation: NEW });
}

async function change(service: TestService, hanako: TestMember): Promise<void> {
  const { access, refresh } = await openSession(service.ctx, hanako.memberId);
  const elsewhere = service.memberAt({ ...hanako, access, refresh });
  await elsewhere.call(changePassword, { password: OLD, newPassword: NEW, newPasswordConfirmation: NEW });
}

// A cluster allows no triggers. There, races of `reset-password.test.ts` check the same.
test.runIf(CLUSTER.length === 0).each([
  ["a reset of the password", reset, "login_required"],
  ["a change of the password", change, "login_required"],
  [
    "a suspension",
    (service: TestService, { memberId }: TestMember) => suspendMember(service.ctx, memberId),
    "account_suspended",
  ],
] as const)("ends a session that %s missed", async (_, act, code) => {
  const service = await serviceForTest({ config: { smtpUrl: mailbox.url } });
  const hanako = await service.member("hanako", { at: null, password: OLD, email: EMAIL });
  await missOnce(service);

  await act(service, hanako);

  await expectError(service.call(refreshTokens, { refresh: hanako.refresh }), code);
});

test("opens no session when the credentials change during its commit", async () => {
  const { ctx, db, member } = await serviceForTest();
  const { memberId } = await member("hanako", { at: null });
  let checks = 0;
  const recheck = async () => {
    if (++checks === 2) throw new ApiError("wrong_credentials");
  };

  await expect(openSession(ctx, memberId, null, "", recheck)).rejects.toThrow("wrong_credentials");

  expect(await db.selectFrom("sessions").select("session_id").execute()).toHaveLength(1);
});
