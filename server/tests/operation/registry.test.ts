import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { busEvents, domainEvents, jobs, scheduledJobs } from "../../src/registry.ts";
import { testService } from "../../src/testing/test-service.ts";

const { ctx } = await testService();
const folder = join(import.meta.dirname, "../../src");
const code = globSync("**/*.ts", { cwd: folder, exclude: ["**/*.test.ts", "registry.ts"] })
  .map((path) => readFileSync(join(folder, path), "utf8"))
  .join("\n");

const allJobs = { ...jobs, ...scheduledJobs };
/** The demo alone handles this event. */
const handledByDemo = ["member_moved"];

test.each([
  ["domain event", domainEvents, [...ctx.domainEvents.names, ...handledByDemo]],
  ["bus event", busEvents, ctx.eventBus.names],
  ["job", allJobs, ctx.jobs.names],
])("handles each %s of the list, and lists each that is handled", (_, listed, handled) => {
  expect(handled.toSorted()).toEqual(Object.keys(listed).toSorted());
});

test.each([
  ["domain event", domainEvents, /\.emit\([^"]*"(\w+)"/g],
  ["bus event", busEvents, /\.publish\([^"]*"(\w+)"/g],
  ["job without a time", jobs, /(?<!\.handle\(|handleMemberJob\(ctx, )"(\w+)"/g],
])("sends each %s of the list", (_, listed, inCalls) => {
  const sent = new Set([...code.matchAll(inCalls)].map(([, name]) => name!));

  expect(Object.keys(listed).filter((name) => !sent.has(name))).toEqual([]);
});
