import { afterAll } from "vitest";
import { closeServices } from "./test-service.ts";

// Test files share a process; this runs for each of them. A cluster drops a database in some seconds.
afterAll(closeServices, 300_000);
