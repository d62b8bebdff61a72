import { afterAll } from "vitest";
import { endFile } from "./test-service.ts";

// Files share a process and its modules: this one is run for each of them.
afterAll(endFile);
