import { likeUser, saveLocation } from "@alcove/contract/discovery";
import { sendDm, type Dm } from "@alcove/contract/messaging";
import type { SignedUp } from "@alcove/test-services/client";
import type { Fixtures } from "../fixtures/test.ts";
import type { Place } from "../fixtures/places.ts";

export async function match(one: SignedUp, other: SignedUp): Promise<void> {
  await one.ask(likeUser, { likedId: other.userId });
  await other.ask(likeUser, { likedId: one.userId });
}

export async function setPosition(place: Place, ...members: SignedUp[]): Promise<void> {
  await Promise.all(members.map((member) => member.ask(saveLocation, { location: place.join(",") })));
}

export async function sendText(from: SignedUp, to: SignedUp, description: string): Promise<Dm> {
  const { dm } = await from.ask(sendDm, { receiverId: to.userId, description });
  return dm;
}

let pairCount = 0;

/** Signs up Hanako and Taro, and lets them match. */
export async function matchedPair(member: Fixtures["member"]): Promise<[hanako: SignedUp, taro: SignedUp]> {
  const suffix = ++pairCount;
  const [hanako, taro] = await Promise.all([
    member(`hanako-${suffix}`, { username: "Hanako" }),
    member(`taro-${suffix}`, { username: "Taro", sex: "male" }),
  ]);
  await match(hanako, taro);
  return [hanako, taro];
}
