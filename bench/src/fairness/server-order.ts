import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { getOptions, likeUser, passUser } from "@alcove/contract/discovery";
import { type Client, createClient } from "@alcove/test-services/client";
import { makeAccessToken } from "../access-tokens.ts";
import type { BenchKeys } from "../population.ts";
import { seedMembers } from "../seed.ts";
import { cardsOf, type Resident, searchRowOf } from "./city.ts";
import type { Order, Shown } from "./orders.ts";

const IN_FLIGHT = 6;
const POLL_MS = 20;

const idOf = ({ memberId }: Resident) => `m${memberId}`;

export type Sessions = ReadonlyMap<Resident, string>;

/** Writes the residents into the database. Those who join later wait outside of the search. */
export async function settle(
  db: pg.Client,
  residents: readonly Resident[],
  key: BenchKeys,
): Promise<Sessions> {
  await db.query("alter role current_user set synchronous_commit = off");
  await seedMembers(db, key, residents.map(searchRowOf));
  await db.query(
    "insert into memberships select no, now() + interval '1 year', '\\x00' from unnest($1::int8[]) no",
    [numbersOf(residents.filter(({ isPaid }) => isPaid))],
  );
  const onlyLiked = numbersOf(residents.filter((resident) => resident.onlyLiked));
  await db.query("update profiles set only_liked = true where member_no = any($1::int8[])", [onlyLiked]);
  await db.query(
    "update searchables set sought_sexes = sought_sexes << 2 where member_no = any($1::int8[])",
    [onlyLiked],
  );
  await db.query("create table searchables_later as select * from searchables");
  await db.query("delete from searchables where member_no = any($1::int8[])", [
    numbersOf(residents.filter(({ joined }) => joined >= 0)),
  ]);
  const sessions = residents.map(() => randomUUID());
  await db.query(
    `insert into sessions (session_id, member_no, refresh_digest, created_at, refreshed_at, use_no, expires_at, language)
     select id, no, sha256(id::text::bytea), now(), now(), at, now() + interval '1 day', 'en'
     from unnest($1::uuid[], $2::int8[]) with ordinality as given (id, no, at)`,
    [sessions, numbersOf(residents)],
  );
  return new Map(residents.map((resident, i) => [resident, sessions[i]!]));
}

interface RunningServer {
  readonly url: string;
  readonly db: pg.Client;
  readonly sessions: Sessions;
  readonly tokenSecret: string;
}

/** The cards of the real server. A day passes by ageing all stored rows. */
export function serverOrder(residents: readonly Resident[], server: RunningServer): Order {
  const { db } = server;
  const byId = new Map(residents.map((resident) => [idOf(resident), resident]));
  return async (day, present, likes) => {
    if (day > 0) await ageByOneDay(db);
    await join(db, numbersOf(residents.filter(({ joined }) => joined === day)));
    await visit(db, numbersOf(present));
    const shown: Shown[] = [];
    const queue = [...present];
    const visitNext = async () => {
      for (let viewer = queue.shift(); viewer; viewer = queue.shift()) {
        const client = clientOf(viewer, server);
        let left = cardsOf(viewer);
        while (left > 0) {
          const { options } = await client.call(getOptions, {});
          if (options.length === 0) break;
          for (const { user_id: userId } of options.slice(0, left)) {
            const candidate = byId.get(userId)!;
            const liked = likes(viewer, candidate);
            await (liked
              ? client.call(likeUser, { likedId: userId })
              : client.call(passUser, { unlikedId: userId }));
            shown.push({ day, viewer, candidate, liked });
            left -= 1;
          }
        }
      }
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, visitNext));
    await finishJobs(db);
    return shown;
  };
}

function clientOf(resident: Resident, { url, sessions, tokenSecret }: RunningServer): Client {
  const session = sessions.get(resident)!;
  return createClient(url, makeAccessToken(tokenSecret, { memberId: resident.memberId, session }));
}

async function ageByOneDay(db: pg.Client): Promise<void> {
  await db.query("update verdicts set day = day - 1 where day < '9999-01-01'");
  await db.query("update match_edges set day = day - 1");
  await db.query("update decks set built_at = built_at - interval '1 day'");
  await db.query("delete from quota_days");
  await db.query(
    "update searchables set active_day = active_day - 1, shown_day = shown_day - 1, slot = slot + 1024",
  );
  // The job of each night.
  await db.query("select graphile_worker.add_job('correct_order_inputs')");
  await finishJobs(db);
}

async function finishJobs(db: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await db.query<{ due: boolean }>(
      "select exists (select from graphile_worker.jobs where run_at <= now() and attempts < max_attempts) as due",
    );
    if (!rows[0]!.due) return;
    await delay(POLL_MS);
  }
}

async function join(db: pg.Client, memberIds: readonly number[]): Promise<void> {
  const today = "(current_date - date '1970-01-01')::int";
  await db.query(
    `insert into searchables select * from searchables_later where member_no = any($1::int8[])`,
    [memberIds],
  );
  await db.query(`update searchables set shown_day = ${today} where member_no = any($1::int8[])`, [
    memberIds,
  ]);
}

/** The server records one visit for each real day. */
async function visit(db: pg.Client, memberIds: readonly number[]): Promise<void> {
  await db.query(
    `update searchables set active_day = d.today, slot = ((32767 - d.today) << 10) | (random() * 1023)::int,
       presence = least(100, round(presence * power(0.9, d.today - active_day) + 10))::int2
     from (select (current_date - date '1970-01-01')::int as today) d where member_no = any($1::int8[])`,
    [memberIds],
  );
}

const numbersOf = (residents: readonly Resident[]): number[] => residents.map(({ memberId }) => memberId);
