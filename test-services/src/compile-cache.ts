import { fileURLToPath } from "node:url";

/** For the environment of a process: what one has compiled is there for the next, whose start takes half of the work. */
export const COMPILED = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL("../../.cache/compiled", import.meta.url)),
};
