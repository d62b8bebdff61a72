import { afterAll } from "vitest";
import { endFile } from "./test-service.ts";

// Test files share a process; this runs for each of them.
afterAll(endFile);
