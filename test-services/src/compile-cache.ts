import { fileURLToPath } from "node:url";

/** Shares compiled code between child processes, which halves their start time. */
export const COMPILE_CACHE_ENV = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL("../../.cache/compiled", import.meta.url)),
};
