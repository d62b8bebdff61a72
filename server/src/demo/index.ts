import type { Service } from "../service.ts";

/** Fills the service with invented members who like back and answer; the answered function ends them. */
export async function startDemo(_service: Service): Promise<() => Promise<void>> {
  return async () => {};
}
