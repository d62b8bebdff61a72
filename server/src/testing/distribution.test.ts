import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { testService, type TestService } from "./test-service.ts";

/**
 * The distribution column and colocation group of each table (docs/architecture.md). Tables without a group stay on one
 * node.
 */
const KEYS: Record<string, { key: string; group: string } | null> = {
  members: { key: "member_no", group: "member" },
  profiles: { key: "member_no", group: "member" },
  media_files: { key: "member_no", group: "member" },
  memberships: { key: "member_no", group: "member" },
  grants: { key: "member_no", group: "member" },
  orders: { key: "member_no", group: "member" },
  transfers: { key: "member_no", group: "member" },
  ledger_entries: { key: "member_no", group: "member" },
  paypal_accounts: { key: "member_no", group: "member" },
  verdicts: { key: "actor", group: "member" },
  likes_received: { key: "target", group: "member" },
  decks: { key: "viewer", group: "member" },
  match_edges: { key: "member_no", group: "member" },
  clear_icon_viewers: { key: "member_no", group: "member" },
  quota_days: { key: "member_no", group: "member" },
  last_passes: { key: "member_no", group: "member" },
  block_edges: { key: "owner", group: "member" },
  never_see: { key: "owner", group: "member" },
  never_see_index: { key: "digest", group: "never-see" },
  suspended_pictures: { key: "member_no", group: "member" },
  picture_flags: { key: "member_no", group: "member" },
  sign_up_networks: { key: "network_digest", group: "network" },
  reports: { key: "reported_no", group: "member" },
  reports_given: { key: "reporter_no", group: "member" },
  inbox: { key: "member_no", group: "member" },
  hidden_conversations: { key: "member_no", group: "member" },
  read_receipt_opt_outs: { key: "member_no", group: "member" },
  sent_links: { key: "member_no", group: "member" },
  notification_preferences: { key: "member_no", group: "member" },
  notification_outbox: { key: "member_no", group: "member" },
  push_subscriptions: { key: "member_no", group: "member" },
  push_endpoints: { key: "endpoint_digest", group: "endpoint" },
  sessions: { key: "session_id", group: "session" },
  socket_tickets: { key: "ticket_digest", group: "ticket" },
  member_jobs: { key: "member_no", group: "member" },
  data_keys: { key: "key_id", group: "member" },
  logins: { key: "user_id_digest", group: "login" },
  email_index: { key: "email_digest", group: "email" },
  social_index: { key: "subject_digest", group: "social" },
  codes: { key: "email_digest", group: "code" },
  rate_limits: { key: "subject_digest", group: "limit" },
  spent_challenges: { key: "challenge_digest", group: "challenge" },
  searchables: { key: "region", group: "region" },
  conversations: { key: "pair", group: "pair" },
  messages: { key: "pair", group: "pair" },
  hidden_messages: { key: "pair", group: "pair" },
  coupons: { key: "coupon_id", group: "coupon" },
  coupon_uses: { key: "coupon_id", group: "coupon" },
  paypal_refs: { key: "paypal_id", group: "paypal" },
  webhook_events: { key: "event_id", group: "event" },
  closed_orders: { key: "archive_id", group: "book" },
  closed_transfers: { key: "archive_id", group: "book" },
  // A reference table: copied to every node, written by one job.
  cell_counts: { key: "far_cell", group: "reference" },
  // Another one: every insert of a data key reads it.
  master_keys: { key: "key_id", group: "reference" },
  database_ids: null,
  server_processes: null,
  operator_log: null,
  operators: null,
  operator_passkeys: null,
  operator_enrolments: null,
  operator_challenges: null,
  operator_sessions: null,
  case_claims: null,
  restorations: null,
  kysely_migration: null,
  kysely_migration_lock: null,
};
const KEY_TYPES = new Set(["int8", "int4", "text", "bytea", "uuid"]);

let service: TestService;
beforeAll(async () => {
  service = await testService();
});

test("lists the distribution column of every table", async () => {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`.execute(service.db);

  expect(rows.map(({ name }) => name).toSorted()).toEqual(Object.keys(KEYS).toSorted());
});

test("includes the distribution column in every primary key and unique constraint", async () => {
  const { rows } = await sql<{ relation: string; rule: string; columns: string[] }>`
    select t.relname as relation, i.relname as rule,
      array(select a.attname::text from pg_attribute a where a.attrelid = t.oid and a.attnum = any(x.indkey)) as columns
    from pg_index x
    join pg_class t on t.oid = x.indrelid
    join pg_class i on i.oid = x.indexrelid
    where t.relnamespace = 'public'::regnamespace and x.indisunique`.execute(service.db);

  const withoutKey = rows.filter(({ relation, columns }) => {
    const spread = KEYS[relation];
    return spread && !columns.includes(spread.key);
  });
  expect(rows.length).toBeGreaterThan(20);
  expect(withoutKey).toEqual([]);
});

test("has a primary key on every table", async () => {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class t
    where relnamespace = 'public'::regnamespace and relkind = 'r'
      and not exists (select from pg_index x where x.indrelid = t.oid and x.indisprimary)`.execute(
    service.db,
  );

  expect(rows).toEqual([]);
});

test("keeps foreign keys within a colocation group, with both distribution columns", async () => {
  const { rows } = await sql<{
    rule: string;
    from: string;
    to: string;
    own: string[];
    theirs: string[];
    act: string;
  }>`
    select c.conname as rule, c.conrelid::regclass::text as from, c.confrelid::regclass::text as to,
      array(select attname::text from pg_attribute where attrelid = c.conrelid and attnum = any(c.conkey)) as own,
      array(select attname::text from pg_attribute where attrelid = c.confrelid and attnum = any(c.confkey)) as theirs,
      c.confdeltype::text as act
    from pg_constraint c
    where c.contype = 'f' and c.connamespace = 'public'::regnamespace`.execute(service.db);

  const wrong = rows.filter(({ from, to, own, theirs, act }) => {
    const [here, there] = [KEYS[from], KEYS[to]];
    const isWithin = here && there && here.group === there.group;
    return !isWithin || !own.includes(here.key) || !theirs.includes(there.key) || !["a", "c"].includes(act);
  });
  expect(rows.length).toBeGreaterThan(0);
  expect(wrong).toEqual([]);
});

test("uses no generated, serial or undistributable key", async () => {
  const { rows } = await sql<{ relation: string; name: string; type: string; made: boolean }>`
    select t.relname as relation, a.attname as name, y.typname as type,
      a.attgenerated <> '' or a.attidentity <> '' or
        coalesce(pg_get_expr(d.adbin, d.adrelid) like 'nextval(%', false) as made
    from pg_attribute a
    join pg_class t on t.oid = a.attrelid
    join pg_type y on y.oid = a.atttypid
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where t.relnamespace = 'public'::regnamespace and t.relkind = 'r' and a.attnum > 0 and not a.attisdropped`.execute(
    service.db,
  );

  const keys = rows.filter(({ relation, name }) => KEYS[relation]?.key === name);
  expect(keys).toHaveLength(Object.values(KEYS).filter(Boolean).length);
  expect(keys.filter(({ type, made }) => made || !KEY_TYPES.has(type))).toEqual([]);
  expect(rows.filter(({ relation, made }) => KEYS[relation] && made)).toEqual([]);
});

test("has no triggers or rules", async () => {
  const { rows: triggers } = await sql<{ name: string }>`
    select tgname as name from pg_trigger g join pg_class t on t.oid = g.tgrelid
    where t.relnamespace = 'public'::regnamespace and not g.tgisinternal`.execute(service.db);
  const { rows: rules } = await sql<{ name: string }>`
    select rulename as name from pg_rules where schemaname = 'public'`.execute(service.db);

  expect([...triggers, ...rules]).toEqual([]);
});

test("does not refer to the job tables", async () => {
  const { rows } = await sql<{ rule: string }>`
    select conname as rule from pg_constraint c
    join pg_class there on there.oid = c.confrelid join pg_class here on here.oid = c.conrelid
    where c.contype = 'f' and (here.relnamespace = 'graphile_worker'::regnamespace)
      <> (there.relnamespace = 'graphile_worker'::regnamespace)`.execute(service.db);

  expect(rows).toEqual([]);
});
