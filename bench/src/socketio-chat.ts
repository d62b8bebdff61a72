import { createServer } from "node:http";
import pg from "pg";
import { Server } from "socket.io";
import { openAccessToken } from "./access-tokens.ts";
import { createUserIdDigest } from "./population.ts";

// A baseline chat on socket.io and PostgreSQL. Each message checks session and match and updates both inboxes. It does not
// encrypt, order messages for both sides or notify other processes.
const pool = new pg.Pool({ connectionString: process.env["DATABASE_URL"], max: 20 });
await pool.query(`
  create table if not exists socketio_messages (
    id int8 generated always as identity primary key,
    sender text not null,
    receiver text not null,
    body text not null,
    created_at timestamptz not null default now()
  );
  create table if not exists socketio_inbox (
    owner text not null,
    other text not null,
    last_id int8 not null,
    last_received_id int8,
    primary key (owner, other)
  )`);

const tokenSecret = process.env["TOKEN_SECRET"] ?? "";
const digestOf = createUserIdDigest(process.env["PASSWORD_PEPPER"] ?? "");
const MATCHED = `
  select from sessions mine
  join logins theirs on theirs.user_id_digest = $2
  join match_edges edge on edge.member_no = mine.member_no and edge.other_no = theirs.member_no
  where mine.member_no = $1 and mine.session_id = $3 and mine.ended_at is null and mine.expires_at > now()`;
// Rows are sorted to avoid deadlocks between two writers.
const INSERT_WITH_INBOXES = `
  with stored as (
    insert into socketio_messages (sender, receiver, body) values ($1, $2, $3) returning id, created_at
  ), inboxes as (
    insert into socketio_inbox (owner, other, last_id, last_received_id)
    select * from (
      select $1::text, $2::text, id, null::int8 from stored union all select $2, $1, id, id from stored
    ) both_sides (owner, other, last_id, last_received_id) order by owner
    on conflict (owner, other) do update set last_id = excluded.last_id,
      last_received_id = coalesce(excluded.last_received_id, socketio_inbox.last_received_id)
  )
  select id, created_at from stored`;

interface Sender {
  readonly userId: string;
  readonly memberId: number;
  readonly session: string;
}

async function store({ userId, memberId, session }: Sender, to: string, text: string) {
  const { rowCount } = await pool.query({
    name: "matched",
    text: MATCHED,
    values: [memberId, digestOf(to), session],
  });
  if (rowCount !== 1) throw new Error("not matched");
  const { rows } = await pool.query<{ id: string; created_at: Date }>({
    name: "store",
    text: INSERT_WITH_INBOXES,
    values: [userId, to, text],
  });
  return rows[0]!;
}

const http = createServer();
const server = new Server(http, { transports: ["websocket"], serveClient: false });
server.use((socket, next) => {
  const { userId, token } = socket.handshake.auth as { userId?: string; token?: string };
  if (!userId || !token) return next(new Error("who are you?"));
  socket.data = { userId, ...openAccessToken(tokenSecret, token) } satisfies Sender;
  next();
});
server.on("connection", (socket) => {
  const sender = socket.data as Sender;
  void socket.join(sender.userId);
  socket.on("send", async ({ to, text }: { to: string; text: string }, acknowledge: (id: string) => void) => {
    const { id, created_at } = await store(sender, to, text);
    server.to(to).emit("message", { id, from: sender.userId, text, created_at });
    acknowledge(id);
  });
});
http.listen(0, "127.0.0.1", () => {
  const address = http.address();
  if (address && typeof address === "object") process.send?.(`http://127.0.0.1:${address.port}`);
});
process.on("disconnect", () => process.exit());
