import { startPostgres } from "../platform/embedded-postgres/server.ts";

// The embedded database in a process of its own, without a server, for tests from outside. It ends with its parent.
const [dataDir = ""] = process.argv.slice(2);
const { url, stop } = await startPostgres({ dataDir });
process.on("disconnect", () => {
  void stop().then(() => process.exit());
});
process.send?.({ url });
