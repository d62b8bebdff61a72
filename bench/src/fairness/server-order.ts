import type pg from "pg";
import { logIn } from "@alcove/contract/accounts";
import { getOptions, likeUser, passUser } from "@alcove/contract/discovery";
import { CallError, type Client, createClient, signUp } from "@alcove/test-services/client";
import { signUpForm } from "@alcove/test-services/fixtures";
import type { Mailbox } from "@alcove/test-services/mail";
import type { BenchKeys } from "../population.ts";
import { seedMembers } from "../seed.ts";
import { cardsOf, type Resident, searchRowOf } from "./city.ts";
import type { Order, Shown } from "./orders.ts";

const PASSWORD = "three green doors";
const IN_FLIGHT = 4;

const idOf = ({ memberId }: Resident) => `m${memberId}`;

/** Writes the residents into the database. Those who join later wait outside of the search. */
export async function settle(
  db: pg.Client,
  residents: readonly Resident[],
  { key, mailbox, url }: { key: BenchKeys; mailbox: Mailbox; url: string },
): Promise<void> {
  const model = signUpForm("model", { sex: "male", date_of_birth: "1984-03-02", password: PASSWORD });
  await signUp(url, mailbox, model);
  await seedMembers(db, key, residents.map(searchRowOf));
  await db.query(`
    update members set password_hash = (select password_hash from members where password_hash is not null)
    where password_hash is null`);
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
}

/** The cards of the real server. A day passes by ageing all stored rows. */
export function serverOrder(residents: readonly Resident[], url: string, db: pg.Client): Order {
  const byId = new Map(residents.map((resident) => [idOf(resident), resident]));
  const members = createSessions(url);
  return async (day, present, likes) => {
    if (day > 0) await ageByOneDay(db);
    const joining = numbersOf(residents.filter(({ joined }) => joined === day));
    await db.query("insert into searchables select * from searchables_later where member_no = any($1)", [
      joining,
    ]);
    await visit(db, present);
    const shown: Shown[] = [];
    const queue = [...present];
    const visitNext = async () => {
      for (let viewer = queue.shift(); viewer; viewer = queue.shift()) {
        let left = cardsOf(viewer);
        while (left > 0) {
          const { options } = await members.use(viewer, (client) => client.call(getOptions, {}));
          if (options.length === 0) break;
          for (const { user_id: userId } of options.slice(0, left)) {
            const candidate = byId.get(userId)!;
            const liked = likes(viewer, candidate);
            await members.use<unknown>(viewer, (client) =>
              liked
                ? client.call(likeUser, { likedId: userId })
                : client.call(passUser, { unlikedId: userId }),
            );
            shown.push({ day, viewer, candidate, liked });
            left -= 1;
          }
        }
      }
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, visitNext));
    return shown;
  };
}

/** A token expires after 15 minutes, before the simulation ends. */
function createSessions(url: string) {
  const clients = new Map<number, Client>();
  const open = async (resident: Resident) => {
    const { access } = await createClient(url).call(logIn, { user_id: idOf(resident), password: PASSWORD });
    const client = createClient(url, access);
    clients.set(resident.memberId, client);
    return client;
  };
  return {
    async use<T>(resident: Resident, call: (client: Client) => Promise<T>): Promise<T> {
      try {
        return await call(clients.get(resident.memberId) ?? (await open(resident)));
      } catch (error) {
        if (!(error instanceof CallError) || error.status !== 401) throw error;
        return call(await open(resident));
      }
    },
  };
}

async function ageByOneDay(db: pg.Client): Promise<void> {
  await db.query("update verdicts set day = day - 1");
  await db.query("update match_edges set day = day - 1");
  await db.query("update decks set built_at = built_at - interval '1 day'");
  await db.query("delete from quota_days");
  for (const table of ["searchables", "searchables_later"])
    await db.query(
      `update ${table} set active_day = active_day - 1, shown_day = shown_day - 1, slot = slot + 1024`,
    );
}

/** The server records one visit for each real day, so later days of the simulation need this statement. */
async function visit(db: pg.Client, present: readonly Resident[]): Promise<void> {
  await db.query(
    `update searchables set active_day = d.today, slot = ((32767 - d.today) << 10) | (random() * 1023)::int,
       presence = least(100, round(presence * power(0.9, d.today - active_day) + 10))::int2
     from (select (current_date - date '1970-01-01')::int as today) d where member_no = any($1::int8[])`,
    [numbersOf(present)],
  );
}

const numbersOf = (residents: readonly Resident[]): number[] => residents.map(({ memberId }) => memberId);
