import { randomUUID } from "node:crypto";
import { getOwnUser, getWsTicket, logIn, refreshTokens } from "@alcove/contract/accounts";
import { getOptions, getUser, likeUser, passUser, saveLocation, undoPass } from "@alcove/contract/discovery";
import { getDms, getLastDms, readDm, sendDm } from "@alcove/contract/messaging";
import { getNotifications, sawNews } from "@alcove/contract/notifications";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CLUSTER } from "../../src/testing/cluster-database.ts";
import { PASSWORD } from "../../src/testing/logins.ts";
import { hanakoAndTaro } from "../../src/testing/match.ts";
import { findFlaws } from "../../src/testing/plan-rules.ts";
import { recordStatementsWithValues } from "../../src/testing/statements.ts";
import {
  eventually,
  openSocket,
  testService,
  type TestMember,
  type TestService,
} from "../../src/testing/test-service.ts";

/** Accepted flaws. */
const EXCEPTIONS = [
  { statement: /from "profiles"/, flaw: "asks several shards of profiles" }, // ten people of a page, each by key
  { statement: /from searchables/, flaw: "asks several shards of searchables" }, // the few regions of a small area
  // No cluster runs it.
  {
    statement: /with advanced as/,
    flaw: "writes into conversations and inbox and messages and notification_outbox",
  },
  {
    statement: /with advanced as/,
    flaw: "joins groups: conversations, inbox, match_edges, messages, notification_outbox, notification_preferences",
  },
];
/** They read no table of ours. */
const CONTROL = /^\s*(begin|commit|rollback|set|listen|notify)\b|pg_notify|graphile_worker/i;

/** A cluster explains no statement without the values of its keys. */
const testOfPlans = test.runIf(CLUSTER.length === 0);

let service: TestService;
let client: pg.Client;
beforeAll(async () => {
  service = await testService({ config: { hasRateLimits: true } });
  await service.ctx.jobs.stop(); // requests only
  client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
});
afterAll(() => client.end());

interface People {
  readonly hanako: TestMember;
  readonly taro: TestMember;
  readonly others: readonly TestMember[];
}

async function signUpPeople(): Promise<People> {
  const { hanako, taro } = await hanakoAndTaro(service);
  const others: TestMember[] = [];
  // More than one fetch shows, so that a later one is served from the deck.
  for (let i = 0; i < 13; i++)
    others.push(await service.member(`other${i}`, { sex: "male", paid: true, password: PASSWORD }));
  return { hanako, taro, others };
}

async function useTheApp({ hanako, taro, others }: People): Promise<void> {
  const message = () => ({ receiverId: "taro", description: "Good evening.", clientId: randomUUID() });

  const { refresh } = await service.call(logIn, { user_id: "other0", password: PASSWORD });
  await service.call(refreshTokens, { refresh });
  await hanako.call(getOwnUser, {});
  await hanako.call(saveLocation, { location: "139.9,35.7" });
  await hanako.call(getOptions, {}); // searches
  await hanako.call(getUser, { userId: "other1" });
  await hanako.call(passUser, { unlikedId: "other1" });
  await hanako.call(undoPass, {});
  await hanako.call(likeUser, { likedId: "other3" });
  await hanako.call(getOptions, {}); // from the deck
  expect(await others[3]!.call(likeUser, { likedId: "hanako" })).toEqual({ matched: true });
  for (let i = 0; i < 3; i++) await hanako.call(sendDm, message()); // in a transaction, then in one statement
  const { dms } = await taro.call(getDms, { friendId: "hanako" });
  await taro.call(readDm, { friendId: "hanako", dmId: dms.at(-1)!.id });
  await taro.call(getLastDms, {});
  await taro.call(getNotifications, {});
  await taro.call(sawNews, {});
  const { ticket } = await taro.call(getWsTicket, {});
  const receiver = await openSocket(`${service.url.replace("http", "ws")}/ws/events?ticket=${ticket}`);
  await hanako.call(sendDm, message());
  await eventually(() => expect(receiver.frames).toContainEqual({ dm: expect.anything() }));
}

testOfPlans("keeps each frequent statement to an index, one shard and one group of tables", async () => {
  const people = await signUpPeople();
  const recorded = await recordStatementsWithValues(() => useTheApp(people));
  const byText = new Map(recorded.map((statement) => [statement.text, statement]));
  const frequent = [...byText.values()].filter(({ text }) => !CONTROL.test(text));

  const flaws: object[] = [];
  const used = new Set<object>();
  for (const statement of frequent)
    for (const flaw of await findFlaws(client, statement)) {
      const exception = EXCEPTIONS.find((one) => one.flaw === flaw && one.statement.test(statement.text));
      if (exception) used.add(exception);
      else flaws.push({ flaw, statement: statement.text });
    }

  expect(flaws).toEqual([]);
  expect([...used]).toHaveLength(EXCEPTIONS.length);
  expect(frequent.length).toBeGreaterThan(60);
});

testOfPlans.each([
  ["reads all of members", "select from members where language = $1", ["ja"]],
  ["asks every shard of members", "select from members where language = $1", ["ja"]],
  ["asks every shard of sessions", "select from sessions where session_id = $1", [randomUUID()]],
  ["asks several shards of profiles", "select from profiles where member_no = any($1)", ["{7,8}"]],
  [
    "asks every shard of passkeys",
    "select exists (select from passkeys k where k.member_no = m.member_no) from members m where m.member_no = $1",
    [7],
  ],
  [
    "asks several shards of members for a lock",
    "select from members where member_no = any($1) for update",
    ["{7,8}"],
  ],
  [
    "joins by another column than the key: inbox, profiles",
    "select from inbox i join profiles p on p.member_no = i.other_no where i.member_no = $1",
    [7],
  ],
  [
    "joins by another column than the key: inbox, profiles",
    "select from inbox i, profiles p where i.member_no = $1 and p.member_no = $2",
    [7, 8],
  ],
  [
    "joins groups: logins, members",
    "select from logins l join members m on m.member_no = l.member_no where l.user_id_digest = $1",
    [Buffer.from("7")],
  ],
  [
    "writes into decks and last_verdicts",
    "with gone as (delete from decks where viewer = $1) delete from last_verdicts where member_no = $1",
    [7],
  ],
  [
    "computes with an interval in an upsert",
    "insert into rate_limits values ($1, '{}', $2) on conflict (subject_digest) do update set expires_at = excluded.expires_at where rate_limits.expires_at < $2 + interval '5 minutes'",
    [Buffer.from("7"), new Date(0)],
  ],
  [
    "joins groups: conversations, members",
    "insert into conversations (pair, key_id) select 'x', member_no from members where member_no = $1",
    [7],
  ],
])("finds that a statement %s", async (flaw, text, values) => {
  expect(await findFlaws(client, { text, values })).toContain(flaw);
});

testOfPlans("finds no flaw in statements of one key", async () => {
  for (const [text, values] of [
    ["select from inbox i join profiles p on p.member_no = i.member_no where i.member_no = $1", [7]],
    ["select from inbox i, profiles p where i.member_no = $1 and p.member_no = $2", [7, 7]],
    ["select from sessions where member_no = $1 and session_id = any($2::uuid[])", [7, [randomUUID()]]],
    ["select exists (select from passkeys where member_no = $1) from members where member_no = $1", [7]],
    ["insert into last_verdicts select viewer, 1, 1, now() from decks where viewer = $1", [7]],
  ] as const)
    expect(await findFlaws(client, { text, values })).toEqual([]);
});
