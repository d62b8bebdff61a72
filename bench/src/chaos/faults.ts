import { uniformInt } from "pure-rand/distribution/uniformInt";
import type { RandomGenerator } from "pure-rand/types/RandomGenerator";
import type { CallName, Fault as PayPalFault } from "@alcove/test-services/paypal/fault-injection";
import type { Dependency, Deployment, Node } from "./deployment.ts";

export interface Fault {
  readonly name: string;
  readonly part: string;
  /** The range of its duration. */
  readonly ms: readonly [min: number, max: number];
  begin(): void | Promise<unknown>;
  end(): void | Promise<unknown>;
}

const SHORT = [200, 2_000] as const;
const LONG = [500, 5_000] as const;
const SLOW_MS = 150;
const PAYPAL_FAULTS: readonly PayPalFault[] = [
  "failing",
  "failing after",
  "hanging up",
  "hanging up after",
  "garbled after",
  "too many requests",
];
const PAYPAL_CALLS: readonly CallName[] = [
  "create order",
  "capture order",
  "create payout",
  "verify webhook",
];

const nothing = () => undefined;
const anyFault = (random: RandomGenerator): PayPalFault =>
  PAYPAL_FAULTS[uniformInt(random, 0, PAYPAL_FAULTS.length - 1)]!;

export function serverFaults({ nodes }: Deployment): Fault[] {
  return nodes.flatMap((node, i) => {
    const part = `server ${i + 1}`;
    const ending = (signal: NodeJS.Signals, name: string): Fault => ({
      name,
      part,
      ms: SHORT,
      begin: () => node.end(signal),
      end: () => node.restart(),
    });
    const kill = ending("SIGKILL", "kill -9");
    return [
      kill,
      kill, // most often
      ending("SIGTERM", "stop"),
      {
        name: "freeze",
        part,
        ms: LONG,
        begin: () => node.signal("SIGSTOP"),
        end: () => node.signal("SIGCONT"),
      },
      ...lineFaults(`clients of server ${i + 1}`, [node.clients]),
    ];
  });
}

export function dependencyFaults(deployment: Deployment, random: RandomGenerator): Fault[] {
  const { nodes, postgres, nats, store, paypal, mailbox } = deployment;
  const lines = (name: Dependency) => [
    ...lineFaults(
      name,
      nodes.map(({ lines: all }) => all[name]),
    ),
    ...nodes.flatMap((node: Node) => lineFaults(name, [node.lines[name]])),
  ];
  const ofProcess = (part: string, program: Controlled): Fault[] => [
    { name: "kill -9", part, ms: SHORT, begin: program.kill, end: program.restart },
    { name: "freeze", part, ms: LONG, begin: program.pause, end: program.resume },
  ];
  const restarting = (name: string, signal: NodeJS.Signals): Fault => ({
    name,
    part: "postgres",
    ms: SHORT,
    begin: () => postgres.signal(signal),
    end: nothing, // it restarts alone
  });
  return [
    restarting("kill -9", "SIGKILL"),
    restarting("kill -9", "SIGKILL"),
    restarting("stop", "SIGINT"),
    ...lines("postgres"),
    ...ofProcess("nats", nats),
    ...lines("nats"),
    ...ofProcess("s3", store),
    ...lines("s3"),
    { name: "kill -9", part: "paypal", ms: SHORT, begin: () => paypal.kill(), end: () => paypal.restart() },
    {
      name: "errors",
      part: "paypal",
      ms: LONG,
      begin: () =>
        Promise.all(
          PAYPAL_CALLS.map((call) => paypal.current.injectFault({ call, fault: anyFault(random), times: 3 })),
        ),
      end: () => paypal.current.clearFaults(),
    },
    ...lines("paypal"),
    { name: "rejections", part: "smtp", ms: SHORT, begin: () => mailbox.rejectNext(451, 3), end: nothing },
    { name: "lost response", part: "smtp", ms: SHORT, begin: () => mailbox.loseNextResponse(), end: nothing },
    ...lines("smtp"),
  ];
}

interface Controlled {
  kill(): Promise<void>;
  restart(): Promise<void>;
  pause(): void;
  resume(): void;
}

function lineFaults(part: string, proxies: readonly Node["clients"][]): Fault[] {
  const all = (act: (proxy: Node["clients"]) => void) => () => proxies.forEach(act);
  const end = all((proxy) => proxy.mend());
  return [
    { name: "cut", part, ms: SHORT, begin: all((proxy) => proxy.cut()), end },
    { name: "no response", part, ms: LONG, begin: all((proxy) => proxy.slow(Infinity)), end },
    { name: "slow", part, ms: LONG, begin: all((proxy) => proxy.slow(SLOW_MS)), end },
  ];
}
