import { fileURLToPath } from "node:url";

/** The only variables of ours that a child process sees, so that no setting of the machine reaches a test. */
export const CHILD_ENV = {
  PATH: process.env["PATH"],
  HOME: process.env["HOME"],
  NODE_COMPILE_CACHE: fileURLToPath(new URL("../../.cache/compiled", import.meta.url)),
};
