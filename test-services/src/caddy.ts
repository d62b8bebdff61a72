import { spawn } from "node:child_process";
import { once } from "node:events";
import { CHILD_ENV } from "./child-env.ts";
import { freePort } from "./server.ts";

/** The proxy of a deployment, in a child process and without TLS. */
export interface Proxy {
  readonly url: string;
  readonly plainUrl: string;
  close(): Promise<void>;
}

const READY_MS = 10_000;
/** Caddy does not notice our exit: this shell kills it when our end of its stdin closes. */
const WATCHED = 'caddy run --adapter caddyfile --config "$0" & cat > /dev/null; kill -9 $!; wait';

/** Needs `caddy` on the PATH (Debian and Homebrew: package `caddy`). `upstreams` are hosts with ports. */
export async function startCaddy(
  config: string,
  upstreams: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<Proxy> {
  const [url, plainUrl] = [`http://127.0.0.1:${await freePort()}`, `http://127.0.0.1:${await freePort()}`];
  const own = { SITE: url, PLAIN_SITE: plainUrl, UPSTREAMS: upstreams.join(" ") };
  const env = { ...CHILD_ENV, ...own, ...variables };
  const child = spawn("sh", ["-c", WATCHED, config], { env, stdio: ["pipe", "ignore", "pipe"] });
  let output = "";
  const ready = new Promise<boolean>((resolve) => {
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      if (output.includes("serving initial configuration")) resolve(true);
    });
    child.on("exit", () => resolve(false));
  });
  const timer = setTimeout(() => child.stdin.end(), READY_MS);
  const isReady = await ready;
  clearTimeout(timer);
  if (!isReady) throw new Error(`caddy did not start:\n${output}`);
  return {
    url,
    plainUrl,
    async close() {
      child.stdin.end();
      await once(child, "exit");
    },
  };
}
