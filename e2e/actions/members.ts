import { likeUser, saveLocation } from "@alcove/contract/discovery";
import { sendDm, type Dm } from "@alcove/contract/messaging";
import type { SignedUpMember } from "@alcove/test-services/client";
import type { Fixtures } from "../fixtures/test.ts";
import type { Place } from "../fixtures/places.ts";

export async function match(one: SignedUpMember, other: SignedUpMember): Promise<void> {
  await one.call(likeUser, { likedId: other.userId });
  await other.call(likeUser, { likedId: one.userId });
}

export async function setPosition(place: Place, ...members: SignedUpMember[]): Promise<void> {
  await Promise.all(members.map((member) => member.call(saveLocation, { location: place.join(",") })));
}

export async function sendText(from: SignedUpMember, to: SignedUpMember, description: string): Promise<Dm> {
  const { dm } = await from.call(sendDm, { receiverId: to.userId, description });
  return dm;
}

let pairCount = 0;

/** Signs up Hanako and Taro, and lets them match. A paid Hanako may like others too. */
export async function matchedPair(
  member: Fixtures["member"],
  { isPaid = false } = {},
): Promise<[hanako: SignedUpMember, taro: SignedUpMember]> {
  const suffix = ++pairCount;
  const [hanako, taro] = await Promise.all([
    member(`hanako-${suffix}`, { username: "Hanako", isPaid }),
    member(`taro-${suffix}`, { username: "Taro", sex: "male" }),
  ]);
  await match(hanako, taro);
  return [hanako, taro];
}
