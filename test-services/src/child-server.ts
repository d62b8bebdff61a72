import { once } from "node:events";
import type { AddressInfo, Server } from "node:net";
import type { ControlResponse, ControlRequest } from "./start-child-server.ts";

/** Returns the parent's values. They are in the environment, because other users of the machine can read arguments. */
export function readStart<Start>(): Start {
  return JSON.parse(process.env["START"] ?? "{}") as Start;
}

/** Lets the parent process call the controls by name, and exits with it. `afterEach` runs after each call. */
export function handleControls(controls: object, afterEach: () => void = () => undefined): void {
  const act = async ({ name, values }: ControlRequest): Promise<unknown> => {
    const control = (controls as Record<string, (...values: readonly unknown[]) => unknown>)[name]!;
    const value = await control(...values);
    afterEach();
    return value;
  };
  process.on("message", (request: ControlRequest) => {
    const respond = (how: Omit<ControlResponse, "id">) => process.send?.({ id: request.id, ...how });
    act(request).then(
      (value) => respond({ value }),
      (error: unknown) => respond({ problem: (error as Error).message }),
    );
  });
  process.on("disconnect", () => process.exit());
}

/** Listens on loopback, sends the port to the parent process and returns the origin. */
export async function listen(server: Server, port = 0): Promise<string> {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const { port: given } = server.address() as AddressInfo;
  process.send?.({ port: given });
  return `http://127.0.0.1:${given}`;
}
