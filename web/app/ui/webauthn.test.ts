import { afterEach, expect, test, vi } from "vitest";
import { offerPasskeys, provePasskey } from "./webauthn.ts";

afterEach(() => vi.unstubAllGlobals());

test("keeps the request of a person when the options of suggestions arrive later", async () => {
  const signals: AbortSignal[] = [];
  const chosen = Promise.withResolvers<unknown>();
  vi.stubGlobal("PublicKeyCredential", {
    isConditionalMediationAvailable: async () => true,
    parseRequestOptionsFromJSON: (options: unknown) => options,
  });
  vi.stubGlobal("navigator", {
    credentials: {
      get: ({ signal }: { signal: AbortSignal }) => {
        signals.push(signal);
        return chosen.promise;
      },
    },
  });
  const options = Promise.withResolvers<Record<string, unknown>>();
  const offered = offerPasskeys(() => options.promise);
  const proven = provePasskey({});
  options.resolve({});

  expect(await offered).toBeNull();
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  chosen.resolve({ toJSON: () => ({ id: "chosen" }) });
  expect(await proven).toEqual({ id: "chosen" });
});
