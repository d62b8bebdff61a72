import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as wait } from "node:timers/promises";

const FIRST_PORT = 20_000;
const PORTS = 10_000;
const LONGEST_MS = 15 * 60_000;

/**
 * Runs the work while no other process runs work of the same name.
 *
 * The lock is a port on loopback, which a killed process cannot keep.
 *
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(name, work) {
  const port = FIRST_PORT + (createHash("sha256").update(name).digest().readUInt32BE() % PORTS);
  const startedAt = performance.now();
  const server = createServer().unref();
  for (let isFirst = true; !(await listens(server, port)); isFirst = false) {
    if (isFirst) console.log(`Alcove: waiting for another process, ${name}`);
    if (performance.now() - startedAt > LONGEST_MS)
      throw new Error(`port ${port} stays in use by another program`);
    await wait(200);
  }
  try {
    return await work();
  } finally {
    server.close();
    await once(server, "close");
  }
}

/**
 * @param {import("node:net").Server} server
 * @param {number} port
 */
async function listens(server, port) {
  try {
    await once(server.listen({ port, host: "127.0.0.1", exclusive: true }), "listening");
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "EADDRINUSE") return false;
    throw error;
  }
}
