import { likeUser, saveLocation } from "@alcove/contract/discovery";
import { sendDm } from "@alcove/contract/messaging";
import { signUp, type SignedUpMember } from "@alcove/test-services/client";
import { signUpForm } from "@alcove/test-services/fixtures";
import type { Mailbox } from "@alcove/test-services/mail";

const CARDS = 12;
const MESSAGES = 100;
/** In Tokyo. */
const LOCATION = "139.76,35.68";

interface BenchPage {
  readonly name: string;
  readonly path: string;
  readonly member: SignedUpMember | null;
}

export interface Stage {
  readonly hanako: SignedUpMember;
  readonly chat: string;
  readonly pages: readonly BenchPage[];
}

/** Signs up a member with cards to decide on, and a match with a long chat. */
export async function prepareStage(url: string, mailbox: Mailbox): Promise<Stage> {
  const join = async (userId: string, sex: "female" | "male") => {
    const member = await signUp(url, mailbox, signUpForm(userId, { sex, username: userId }));
    await member.call(saveLocation, { location: LOCATION });
    return member;
  };
  const hanako = await join("bench-hanako", "female");
  const taro = await join("bench-taro", "male");
  for (let i = 0; i < CARDS; i++) await join(`bench-card-${i}`, "male");
  await hanako.call(likeUser, { likedId: taro.userId });
  await taro.call(likeUser, { likedId: hanako.userId });
  for (let i = 0; i < MESSAGES; i++) {
    const [from, to] = i % 2 === 0 ? [hanako, taro] : [taro, hanako];
    await from.call(sendDm, { receiverId: to.userId, description: `Message ${i} about herons and rain` });
  }
  const chat = `/en/dm/${taro.userId}`;
  const pages: [name: string, path: string, isMember: boolean][] = [
    ["landing", "/en", false],
    ["login", "/en/login", false],
    ["about", "/en/about-service", false],
    ["prices", "/en/pricing", false],
    ["contact", "/en/contact", false],
    ["home", "/en", true],
    ["profile", `/en/home/${taro.userId}`, true],
    ["messages", "/en/dm", true],
    ["chat", chat, true],
    ["settings", "/en/setting", true],
  ];
  return {
    hanako,
    chat,
    pages: pages.map(([name, path, isMember]) => ({ name, path, member: isMember ? hanako : null })),
  };
}
