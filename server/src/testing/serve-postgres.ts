import { startPostgres } from "../platform/embedded-postgres/server.ts";
import { createTemplate } from "./template.ts";

// For tests from outside. It ends with its parent.
const [dataDir = "", template] = process.argv.slice(2);
const { url, stop } = await startPostgres({ dataDir, forTests: template !== undefined });
if (template !== undefined) await createTemplate(url, template);
process.on("disconnect", () => {
  void stop().then(() => process.exit());
});
process.send?.({ url });
