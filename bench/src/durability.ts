import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type pg from "pg";

/** The rows of one message; texts have the length of encrypted ones. */
const SCRIPT = `
\\set n random(1, :pairs)
begin;
select last_message_id from durability.conversations where pair = (:n)::int4::text for no key update;
insert into durability.messages (pair, message_id, sender_no, client_id, encrypted_text)
  values ((:n)::int4::text, uuidv7(), :n, gen_random_uuid(), '\\x${"5a".repeat(293)}'::bytea);
update durability.conversations set last_message_id = uuidv7() where pair = (:n)::int4::text;
insert into durability.inbox (member_no, other_no, last_message_id, last_received_id)
  values (2 * :n, 2 * :n + 1, uuidv7(), null), (2 * :n + 1, 2 * :n, uuidv7(), uuidv7())
  on conflict (member_no, other_no) do update set last_message_id = excluded.last_message_id,
    last_received_id = coalesce(excluded.last_received_id, inbox.last_received_id);
commit;
`;

export class PgbenchMissingError extends Error {
  override name = "PgbenchMissingError";
  constructor() {
    super("pgbench is not installed: `apt-get install postgresql-contrib` brings it (or put it into PATH)");
  }
}

const run = promisify(execFile);

export async function requirePgbench(): Promise<void> {
  await run("pgbench", ["--version"]).catch(() => {
    throw new PgbenchMissingError();
  });
}

/** Copies of the server's tables, empty except for the conversations. */
export async function prepareDurability(db: pg.Client, pairs: number): Promise<void> {
  await db.query("create schema durability");
  for (const table of ["conversations", "messages", "inbox"]) {
    await db.query(`create table durability.${table} (like ${table} including all)`);
  }
  await db.query(
    "insert into durability.conversations (pair, key_id) select n::text, -n from generate_series(1, $1) n",
    [pairs],
  );
  await db.query("vacuum analyze durability.conversations");
}

export async function measureDurability(
  url: string,
  { pairs, clients, seconds }: { pairs: number; clients: number; seconds: number },
): Promise<{ perSecond: number; meanMs: number }> {
  const folder = await mkdtemp(join(tmpdir(), "alcove-bench-"));
  const { hostname, port, username, password, pathname } = new URL(url);
  try {
    const script = join(folder, "message.sql");
    await writeFile(script, SCRIPT);
    const target = ["-h", hostname, "-p", port, "-U", username, pathname.slice(1)];
    const options = `-n -M prepared -c ${clients} -j 2 -T ${seconds} -D pairs=${pairs} -f`.split(" ");
    // Arguments are visible to other users.
    const { stdout } = await run("pgbench", [...options, script, ...target], {
      env: { ...process.env, PGPASSWORD: decodeURIComponent(password) },
    });
    const [, perSecond] = /^tps = ([\d.]+)/m.exec(stdout) ?? [];
    const [, meanMs] = /^latency average = ([\d.]+) ms/m.exec(stdout) ?? [];
    if (!perSecond || !meanMs) throw new Error(`unexpected output of pgbench:\n${stdout}`);
    return { perSecond: Number(perSecond), meanMs: Number(meanMs) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
