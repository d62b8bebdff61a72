import { readFileSync } from "node:fs";
import pg from "pg";

/** `npm run citus` starts the node again after some seconds. */
export async function killNode(url: string): Promise<void> {
  process.kill(await processIdOf(url), "SIGKILL");
}

export async function freezeNode(url: string): Promise<{ thaw(): void }> {
  const postmaster = await processIdOf(url);
  process.kill(postmaster, "SIGSTOP"); // first, so that it starts no other
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, "utf8");
  const frozen = children.trim().split(" ").map(Number);
  for (const pid of frozen) process.kill(pid, "SIGSTOP");
  frozen.push(postmaster);
  return {
    thaw() {
      for (const pid of frozen.splice(0)) process.kill(pid, "SIGCONT");
    },
  };
}

async function processIdOf(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ pid: string }>("select pg_read_file('postmaster.pid') as pid");
  await client.end();
  return Number.parseInt(rows[0]!.pid, 10);
}
