import type { Reaction, ReactionName } from "@alcove/contract/messaging";
import type { Encryption } from "../platform/keys/encryption.ts";
import type { Pair } from "./pair.ts";

export type Reactions = ReadonlyMap<number, ReactionName>;

export const NO_REACTIONS: Reactions = new Map();

/** One value for both sides, so that a stolen table does not show which of them reacted. */
export async function encryptReactions(
  encryption: Encryption,
  keyId: number,
  { pair, id, reactions }: { pair: Pair; id: string; reactions: Reactions },
): Promise<Buffer | null> {
  if (reactions.size === 0) return null;
  const both = [reactions.get(pair.low) ?? null, reactions.get(pair.high) ?? null];
  return encryption.encrypt(keyId, JSON.stringify(both), contextOf(pair, id));
}

export async function decryptReactions(
  encryption: Encryption,
  { pair, id, encrypted }: { pair: Pair; id: string; encrypted: Buffer },
): Promise<Reactions> {
  const [low, high] = JSON.parse(
    await encryption.decrypt(encrypted, contextOf(pair, id)),
  ) as (ReactionName | null)[];
  return new Map([...(low ? [[pair.low, low] as const] : []), ...(high ? [[pair.high, high] as const] : [])]);
}

/** The viewer's last: the order of members would show whose account is older. */
export function presentReactions(reactions: Reactions, viewerMemberId: number): Reaction[] {
  return [...reactions]
    .map(([memberId, reaction]) => ({ reaction, mine: memberId === viewerMemberId }))
    .toSorted((a, b) => Number(a.mine) - Number(b.mine));
}

const contextOf = (pair: Pair, id: string): string => `messages.encrypted_reactions:${pair.key}:${id}`;
