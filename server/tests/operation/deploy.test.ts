import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { fromJSONSchema } from "zod";
import { IMAGE_MAX_BYTES } from "@alcove/contract/limits";
import { CHILD_ENV } from "@alcove/test-services/child-env";
import { BODY_LIMIT_BYTES } from "../../src/platform/http/parse-body.ts";

const ROOT = join(import.meta.dirname, "../../..");
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

interface Service {
  image: string;
  environment?: Record<string, string>;
  networks: string[];
  ports?: string[];
  mem_limit?: string;
  volumes?: string[];
  configs?: { source: string }[];
  depends_on?: object;
}
interface Compose {
  services: Record<string, Service>;
  networks: object;
  volumes: object;
  configs: object;
}
const compose = parse(read("deploy/compose.yml"), { merge: true }) as Compose;

test("compose.yml follows the schema and defines all names that it uses", () => {
  const schema = fromJSONSchema(JSON.parse(read("deploy/schemas/compose.schema.json")));

  expect(schema.safeParse(compose).error).toBeUndefined();
  for (const service of Object.values(compose.services)) {
    const { networks, volumes = [], configs = [], depends_on: needed = {} } = service;
    const named = volumes.map((volume) => volume.split(":")[0]!);
    const files = named.filter((name) => name.startsWith("./"));
    expect(Object.keys(compose.networks)).toEqual(expect.arrayContaining(networks));
    expect(Object.keys(compose.volumes)).toEqual(
      expect.arrayContaining(named.filter((name) => !files.includes(name))),
    );
    expect(files.filter((file) => !existsSync(join(ROOT, "deploy", file)))).toEqual([]);
    expect(Object.keys(compose.configs)).toEqual(expect.arrayContaining(configs.map(({ source }) => source)));
    const names = Array.isArray(needed) ? (needed as string[]) : Object.keys(needed);
    expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(names));
  }
});

test("the settings of the deployment are variables of the server", () => {
  const known = new Set(
    [...read(".env.example").matchAll(/^#([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name!),
  );
  const ofServer = Object.keys(compose.services["server-a"]!.environment!);
  const ofExample = [...read("deploy/alcove.env.example").matchAll(/^#?([A-Z][A-Z0-9_]*)=/gm)];
  const ofImage = [...read("deploy/Dockerfile").matchAll(/^ENV (.*)$/gm)].flatMap(([, line]) =>
    [...line!.matchAll(/(\w+)=/g)].map(([, name]) => name!),
  );

  const named = [...ofServer, ...ofExample.map(([, name]) => name!), ...ofImage];
  expect(named.filter((name) => !["NODE_ENV", "HOME"].includes(name) && !known.has(name))).toEqual([]);
});

test("only the proxy can be reached from outside, the console from the machine, and database, bus and pictures reach nothing outside", () => {
  const { services } = compose;
  const ports = Object.entries(services).flatMap(([name, { ports: own = [] }]) =>
    own.map((port) => [name, port]),
  );
  const inside = Object.keys(services).filter((name) => !services[name]!.networks.includes("outside"));

  expect(ports.filter(([, port]) => !port!.startsWith("127.0.0.1:")).map(([name]) => name)).toEqual(
    ports.filter(([name]) => name === "proxy").map(([name]) => name),
  );
  expect(ports.filter(([name]) => name !== "proxy")).toEqual([["server-a", "127.0.0.1:3010:3010"]]);
  expect(inside).toEqual(["database", "bus", "pictures"]);
});

test("the Dockerfile uses the Node, the options and the user of production", () => {
  const dockerfile = read("deploy/Dockerfile");
  const options = JSON.parse(read("server/node-options.json")) as string[];

  expect(dockerfile).toContain(`ARG NODE_IMAGE=node:${read(".nvmrc").trim()}-bookworm-slim\n`);
  expect(dockerfile).toContain(`ENTRYPOINT ${JSON.stringify(["node", ...options]).replaceAll(",", ", ")}\n`);
  expect(dockerfile.match(/^USER .*$/gm)).toEqual(["USER alcove"]);
  expect(compose.services["server-a"]!.image).toMatch(/^alcove:/);
});

test("bounds the memory of a server, and the size of a body at the proxy", () => {
  const [, bodyMegabytes] = /max_size (\d+)MiB/.exec(read("deploy/Caddyfile"))!;

  for (const name of ["server-a", "server-b"]) expect(compose.services[name]!.mem_limit).toBe("2g");
  expect(Number(bodyMegabytes) * 1024 ** 2).toBeGreaterThanOrEqual(IMAGE_MAX_BYTES + BODY_LIMIT_BYTES);
  expect(Number(bodyMegabytes) * 1024 ** 2).toBeLessThan(2 * IMAGE_MAX_BYTES);
});

test("proxy and bus accept their files", () => {
  const env = {
    ...CHILD_ENV,
    SITE: "alcove.example",
    PLAIN_SITE: "http://alcove.example",
    UPSTREAMS: "server-a:3000 server-b:3000",
    NATS_PASSWORD: "secret",
  };
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

  const validate = ["validate", "--adapter", "caddyfile", "--config", join(ROOT, "deploy/Caddyfile")];
  const validated = run("caddy", ...validate);
  run("nats-server", "-t", "-c", join(ROOT, "deploy/nats.conf"));

  expect(validated).toContain("Valid configuration");
});
