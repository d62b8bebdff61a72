import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { startLogin } from "@alcove/contract/console";
import { buildRequest } from "@alcove/contract/request";
import { startCaddy } from "@alcove/test-services/caddy";
import { freePort } from "@alcove/test-services/server";
import { serviceForTest } from "../../src/testing/service-for-test.ts";
import { eventually } from "../../src/testing/test-service.ts";
import { temporaryFolder } from "../../src/testing/restore-target.ts";

const DEPLOY = join(import.meta.dirname, "../../../deploy");
const NEW_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];

/** A private authority in `ca.pem`, and a certificate of it in `NAME.pem`, made like those of deploy/README.md. */
function createCertificate(folder: string, authority: string, name: string): void {
  const openssl = (...args: string[]) => execFileSync("openssl", args, { cwd: folder, stdio: "ignore" });
  openssl("req", "-x509", ...NEW_KEY, "-subj", "/CN=operators", "-keyout", "ca.key", "-out", authority);
  openssl("req", ...NEW_KEY, "-subj", `/CN=${name}`, "-keyout", `${name}.key`, "-out", `${name}.csr`);
  const signed = ["-CA", authority, "-CAkey", "ca.key", "-CAcreateserial", "-out", `${name}.pem`];
  openssl("x509", "-req", "-in", `${name}.csr`, ...signed);
}

test("the proxy serves the console only to browsers with a certificate of an operator", async () => {
  const folder = await temporaryFolder();
  createCertificate(folder, "ca.pem", "sato");
  createCertificate(folder, "other-ca.pem", "stranger");
  const consoleUrl = `https://localhost:${await freePort()}`;
  const service = await serviceForTest({ config: { consolePort: await freePort(), consoleUrl } });
  const config = join(folder, "Caddyfile");
  const own = ["admin off", "skip_install_trust", "local_certs"].join("\n");
  writeFileSync(config, `{\n${own}\n}\nimport ${join(DEPLOY, "console.caddy")}\n`);
  const proxy = await startCaddy(config, [], {
    CONSOLE_SITE: consoleUrl,
    CONSOLE_UPSTREAM: `127.0.0.1:${service.ctx.config.consolePort}`,
    OPERATORS_CA: join(folder, "ca.pem"),
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
  });
  onTestFinished(proxy.close);
  const startLoginAs = async (name: string | null) => {
    const read = (end: string) => readFileSync(join(folder, `${name}.${end}`));
    const certificate = name === null ? {} : { cert: read("pem"), key: read("key") };
    // The test is about the browser's certificate: the proxy's own is of a private authority.
    const options = { ...certificate, method: "POST", rejectUnauthorized: false, agent: false as const };
    const headers = {
      origin: consoleUrl,
      "sec-fetch-site": "same-origin",
      "content-type": "application/json",
    };
    const { path } = buildRequest(startLogin, {}, "en");
    const sent = request(new URL(path, consoleUrl), { ...options, headers }).end("{}");
    const [response] = await once(sent, "response");
    return { status: response.statusCode as number, body: await json(response) };
  };

  // The proxy issues its own certificate after its start.
  await eventually(() =>
    expect(startLoginAs(null)).rejects.toThrow(/alert (bad certificate|certificate required)/),
  );
  await expect(startLoginAs("stranger")).rejects.toThrow(/alert/);
  expect(await startLoginAs("sato")).toMatchObject({
    status: 200,
    body: { options: { rpId: "localhost" } },
  });
});
