import { isIP, isIPv6 } from "node:net";
import { utcDay } from "../clock.ts";
import type { AppContext } from "../context.ts";
import type { Encryption } from "../keys/encryption.ts";

export const UNKNOWN_NETWORK = "unknown";

/** One household uses an IPv4 address or the /64 of an IPv6 address. Proxies may add brackets and a port. */
export function networkOf(ip: string): string {
  const [, inBrackets, ipv4] = /^\[(.*)\](?::\d+)?$|^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(ip) ?? [];
  const [address = ""] = (inBrackets ?? ipv4 ?? ip).split("%");
  if (isIP(address) === 0) return UNKNOWN_NETWORK;
  if (!isIPv6(address)) return address;
  const groups = groupsOf(address);
  const isMappedIPv4 = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xff_ff;
  if (!isMappedIPv4)
    return groups
      .slice(0, 4)
      .map((group) => group.toString(16))
      .join(":");
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join(".");
}

const TAG_DIGITS = 12;

/** Names a network in the log. Without the keys, the tags of two days cannot be linked. */
export function networkTag(
  { encryption, clock }: Pick<AppContext, "clock"> & { encryption: Pick<Encryption, "blindIndex"> },
  ip: string,
): string {
  const digest = encryption.blindIndex(networkOf(ip), `log ${utcDay(clock.now())}`);
  return digest.toString("hex").slice(0, TAG_DIGITS);
}

/**
 * Returns the networks around an IPv6 /64 or an IPv4 address, with the factor for their limits. An attacker with a /48
 * has 65,536 networks.
 */
export function widerNetworksOf(network: string): { network: string; factor: number }[] {
  if (isIP(network) === 4) return [{ network: network.slice(0, network.lastIndexOf(".")), factor: 8 }];
  const groups = network.split(":");
  if (groups.length !== 4) return [];
  return [
    { network: groups.slice(0, 2).join(":"), factor: 64 },
    { network: groups.slice(0, 3).join(":"), factor: 8 },
  ];
}

/** The /24 around an IPv4 address, or the /48 around an IPv6 /64. */
export function surroundingsOf(network: string): string {
  return widerNetworksOf(network).at(-1)?.network ?? network;
}

function groupsOf(address: string): number[] {
  const hex = address.replace(
    /(\d+)\.(\d+)\.(\d+)\.(\d+)$/,
    (_, a: string, b: string, c: string, d: string) =>
      [Number(a) * 256 + Number(b), Number(c) * 256 + Number(d)].map((group) => group.toString(16)).join(":"),
  );
  const [head = "", tail] = hex.split("::");
  const [before, after] = [head, tail ?? ""].map((side) => (side ? side.split(":") : []));
  const zeros = tail === undefined ? [] : Array<string>(8 - before!.length - after!.length).fill("0");
  return [...before!, ...zeros, ...after!].map((group) => Number.parseInt(group, 16));
}
