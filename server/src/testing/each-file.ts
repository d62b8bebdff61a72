import { afterAll } from "vitest";
import { forgetUnusedServices } from "./service-for-test.ts";
import { closeServices } from "./test-service.ts";

// Test files share a process; this runs for each of them. A cluster drops a database in some seconds.
afterAll(async () => {
  forgetUnusedServices();
  await closeServices();
}, 300_000);
