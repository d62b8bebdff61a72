import { randomUUID } from "node:crypto";
import type pg from "pg";
import { makeAccessToken } from "./access-tokens.ts";
import type { Pair, Party } from "./chat.ts";
import { type BenchKeys, seededRandom, generateMembers, type SampleMember } from "./population.ts";
import { seedMembers } from "./seed.ts";

const FIRST_MEMBER_NO = 1_000_000;

export async function seedPairs(
  db: pg.Client,
  keys: { encryption: BenchKeys; token: string },
  count: number,
  adapt: (member: SampleMember) => SampleMember = (member) => member,
): Promise<Pair[]> {
  const members = [...generateMembers(2 * count, FIRST_MEMBER_NO, seededRandom(1))].map(adapt);
  await seedMembers(db, keys.encryption, members);
  const sessions = Array.from({ length: 2 * count }, () => randomUUID());
  await db.query(
    `insert into sessions (session_id, member_no, refresh_digest, created_at, refreshed_at, use_no, expires_at, language)
     select id, $2 + at - 1, sha256(id::text::bytea), now(), now(), at, now() + interval '1 day', 'en'
     from unnest($1::uuid[]) with ordinality as given (id, at)`,
    [sessions, FIRST_MEMBER_NO],
  );
  await db.query(
    `insert into match_edges (member_no, other_no, day, sequence_no)
     select $1 + n, $1 + (n # 1), current_date, nextval('match_sequence') from generate_series(0, $2 - 1) n`,
    [FIRST_MEMBER_NO, 2 * count],
  );
  for (const table of ["sessions", "match_edges"]) await db.query(`vacuum analyze ${table}`);
  const parties = sessions.map((session, at): Party => ({
    userId: `m${FIRST_MEMBER_NO + at}`,
    token: makeAccessToken(keys.token, { memberId: FIRST_MEMBER_NO + at, session }),
  }));
  return Array.from({ length: count }, (_, at) => [parties[2 * at]!, parties[2 * at + 1]!]);
}
