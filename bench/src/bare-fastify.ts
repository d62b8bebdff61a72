import Fastify from "fastify";
import pg from "pg";

// The limit of HTTP and database for `load.ts`: a bare Fastify with one query by primary key.
const pool = new pg.Pool({ connectionString: process.env["DATABASE_URL"], max: 20 });
const app = Fastify();
app.get<{ Params: { memberId: string } }>("/:memberId", async ({ params }) => {
  const { rows } = await pool.query<{ language: string }>({
    name: "member",
    text: "select member_no, language, account_status from members where member_no = $1",
    values: [params.memberId],
  });
  return rows[0];
});
process.send!(await app.listen({ host: "127.0.0.1", port: 0 }));
process.on("disconnect", () => process.exit());
