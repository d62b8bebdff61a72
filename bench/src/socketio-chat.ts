import { createServer } from "node:http";
import pg from "pg";
import { Server } from "socket.io";

// What one would otherwise write, at its least: a message is inserted, committed, and emitted to whoever it is for.
// Nothing is checked but the token at the start, nothing is sealed, and there is neither an inbox nor an order.
const pool = new pg.Pool({ connectionString: process.env["DATABASE_URL"], max: 20 });
await pool.query(`
  create table if not exists socketio_messages (
    id int8 generated always as identity primary key,
    sender text not null,
    receiver text not null,
    body text not null,
    created_at timestamptz not null default now()
  )`);

const http = createServer();
const server = new Server(http, { transports: ["websocket"], serveClient: false });
server.use((socket, next) => {
  const { userId, token } = socket.handshake.auth as { userId?: string; token?: string };
  socket.data = { userId };
  next(userId && token ? undefined : new Error("who are you?"));
});
server.on("connection", (socket) => {
  const { userId } = socket.data as { userId: string };
  void socket.join(userId);
  socket.on("send", async ({ to, text }: { to: string; text: string }, acknowledge: (id: string) => void) => {
    const { rows } = await pool.query<{ id: string; created_at: Date }>(
      "insert into socketio_messages (sender, receiver, body) values ($1, $2, $3) returning id, created_at",
      [userId, to, text],
    );
    const { id, created_at } = rows[0]!;
    server.to(to).emit("message", { id, from: userId, text, created_at });
    acknowledge(id);
  });
});
http.listen(0, "127.0.0.1", () => {
  const address = http.address();
  if (address && typeof address === "object") process.send?.(`http://127.0.0.1:${address.port}`);
});
process.on("disconnect", () => process.exit());
