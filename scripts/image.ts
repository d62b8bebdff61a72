// npm run image: builds the production image with Debian's buildah, and signs a member up against it on a read-only root
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { getOwnUser } from "@alcove/contract/accounts";
import { signUp } from "@alcove/test-services/client";
import { signUpForm } from "@alcove/test-services/fixtures";
import { startMailbox } from "@alcove/test-services/mail";
import { startPostgres } from "@alcove/test-services/postgres";
import { freePort } from "@alcove/test-services/server";
import { pinnedNode, readText, root, runMain } from "./lib/project.js";
import { installSystemPackages } from "./lib/system-packages.js";

const STORAGE_DRIVER = "vfs";
const BASE = `localhost/alcove-node:${readText(".nvmrc").trim()}`;
const IMAGE = "localhost/alcove:test";
const USER_ID = 10_001;
/** Compose's `read_only` with its volumes. Its namespace ends with the server. */
const RUN_READ_ONLY = `set -e
mount --bind "$0" "$0"
mount -t tmpfs tmpfs "$0/tmp"
for folder in /var/lib/alcove /var/lib/alcove-secrets; do mount -t tmpfs -o uid=${USER_ID},gid=${USER_ID},mode=0700 tmpfs "$0$folder"; done
mount --bind /dev "$0/dev"
mount -o remount,bind,ro "$0"
exec chroot --userspec=${USER_ID}:${USER_ID} "$0" sh -c 'cd /opt/alcove && exec "$@"' sh "$@"`;

interface ImageConfig {
  readonly User: string;
  readonly Env: string[];
  readonly Entrypoint: string[];
  readonly Cmd: string[];
}

function run(program: string, ...args: string[]): string {
  const env = { ...process.env, STORAGE_DRIVER };
  return execFileSync(program, args, {
    env,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    stdio: ["ignore", "pipe", "inherit"],
  }).trim();
}

/** Debian with the pinned Node and npm: no package registry has the official image. */
function buildBase(folder: string): void {
  if (run("buildah", "images", "--quiet", "--filter", `reference=${BASE}`) !== "") return;
  const debian = join(folder, "debian");
  run("debootstrap", "--variant=minbase", "bookworm", debian);
  copyFileSync(pinnedNode(), join(debian, "usr/local/bin/node"));
  const npm = dirname(dirname(process.env["npm_execpath"] ?? run("npm", "root", "--global")));
  const modules = join(debian, "usr/local/lib/node_modules");
  cpSync(npm.endsWith("/npm") ? npm : join(npm, "npm"), join(modules, "npm"), {
    recursive: true,
    dereference: true,
  });
  run("ln", "-s", "../lib/node_modules/npm/bin/npm-cli.js", join(debian, "usr/local/bin/npm"));
  const settings = [`registry=${run("npm", "config", "get", "registry")}`];
  const authorities = process.env["NODE_EXTRA_CA_CERTS"];
  if (authorities !== undefined) {
    copyFileSync(authorities, join(debian, "usr/local/etc/authorities.pem"));
    settings.push("cafile=/usr/local/etc/authorities.pem");
  }
  writeFileSync(join(debian, "usr/local/etc/npmrc"), settings.map((line) => `${line}\n`).join(""));
  const base = run("buildah", "from", "scratch");
  run("buildah", "add", "--quiet", base, debian, "/");
  run("buildah", "commit", "--quiet", "--rm", base, BASE);
}

function buildImage(): void {
  const build = ["bud", "--isolation", "chroot", "--format", "docker", "--pull-never", "--quiet"];
  run(
    "buildah",
    ...build,
    "--build-arg",
    `NODE_IMAGE=${BASE}`,
    "--file",
    join(root, "deploy/Dockerfile"),
    "--tag",
    IMAGE,
    root,
  );
}

async function signUpAt(files: string, folder: string): Promise<void> {
  const inspected = JSON.parse(run("buildah", "inspect", "--type", "image", IMAGE)) as {
    Docker: { config: ImageConfig };
  };
  const { User, Env, Entrypoint, Cmd } = inspected.Docker.config;
  const postgres = await startPostgres(join(folder, "database"));
  const mailbox = await startMailbox();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    ...Object.fromEntries(Env.map((entry) => entry.split(/=(.*)/s, 2))),
    PORT: String(port),
    PUBLIC_URL: url,
    DATABASE_URL: postgres.url,
    SMTP_URL: mailbox.url,
    BOT_CHECK: "off",
  };
  const args = ["--mount", "sh", "-c", RUN_READ_ONLY, files, ...Entrypoint, ...Cmd];
  const server = spawn("unshare", args, { env, stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(server, "exit");
  try {
    let output = "";
    await new Promise<void>((resolve, reject) => {
      server.stdout.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        if (output.includes(" is ready at ")) resolve();
      });
      void exited.then(([code]) => reject(new Error(`the server ended with ${code}:\n${output}`)));
    });
    const hanako = await signUp(url, mailbox, signUpForm("hanako"));
    const { user } = await hanako.call(getOwnUser, {});
    const pages = await Promise.all(["/readyz", "/", user.icon].map((path) => hanako.fetch(path)));
    const statuses = pages.map(({ status }) => status).join(" ");
    const owner = /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))?.[1];
    const isReadOnly = / \/ ro[, ]/.test(readFileSync(`/proc/${server.pid}/mountinfo`, "utf8"));
    server.kill("SIGTERM");
    const [code] = (await exited) as [number | null];
    if (User !== "alcove" || owner !== String(USER_ID))
      throw new Error(`the server ran as ${User}, ${owner}`);
    if (statuses !== "200 200 200") throw new Error(`/readyz, the home page and an icon have ${statuses}`);
    if (!isReadOnly) throw new Error("the root could be written");
    if (code !== 0 || /"level":[56]0/.test(output))
      throw new Error(`the server ended with ${code}:\n${output}`);
  } finally {
    server.kill("SIGKILL");
    await mailbox.close();
    await postgres.close();
  }
}

await runMain(async () => {
  await installSystemPackages(["image"]);
  // `debootstrap` needs a file system with devices, unlike memory.
  const folder = mkdtempSync("/var/tmp/alcove-image-");
  let container = "";
  try {
    buildBase(folder);
    buildImage();
    container = run("buildah", "from", "--pull-never", IMAGE);
    const files = run("buildah", "mount", container);
    await signUpAt(files, folder);
    const [size, base] = [IMAGE, BASE].map((image) =>
      run("buildah", "images", "--format", "{{.Size}}", image),
    );
    console.log(`image: a member signed up; ${size}, ${base} of them the base`);
    return 0;
  } finally {
    if (container !== "") run("buildah", "rm", container);
    if (existsSync(folder)) rmSync(folder, { recursive: true });
  }
});
