import { startPostgres } from "../platform/embedded-postgres/server.ts";

// For tests from outside. The database ends with its parent.
const [dataDir = ""] = process.argv.slice(2);
const { url, stop } = await startPostgres({ dataDir });
process.on("disconnect", () => {
  void stop().then(() => process.exit());
});
process.send?.({ url });
