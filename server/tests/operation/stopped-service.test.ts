import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { hanakoAndTaro } from "../../src/testing/match.ts";
import { eventually, testService } from "../../src/testing/test-service.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

async function startAndStop(): Promise<WeakRef<object>> {
  const service = await testService();
  await hanakoAndTaro(service);
  await service.close();
  return new WeakRef(service.ctx);
}

test("keeps nothing of a server that has stopped", async () => {
  const stopped = await startAndStop();

  await eventually(() => {
    collectGarbage();
    // A failed comparison would keep the object itself.
    expect(stopped.deref() === undefined).toBe(true);
  });
});
