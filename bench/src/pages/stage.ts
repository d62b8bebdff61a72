import { likeUser, saveLocation } from "@alcove/contract/discovery";
import { sendDm } from "@alcove/contract/messaging";
import { signUp, type SignedUpMember } from "@alcove/test-services/client";
import { signUpForm } from "@alcove/test-services/fixtures";
import type { Mailbox } from "@alcove/test-services/mail";

const CARDS = 12;
const MESSAGES = 100;
/** Of the long chat to type in. */
const MANY_MESSAGES = 2_000;
/** In Tokyo. */
const LOCATION = "139.76,35.68";

interface BenchPage {
  readonly name: string;
  readonly path: string;
  readonly member: SignedUpMember | null;
}

export interface BenchChat {
  readonly path: string;
  readonly messages: number;
}

export interface Stage {
  readonly hanako: SignedUpMember;
  /** A short and a long one. */
  readonly chats: readonly BenchChat[];
  readonly pages: readonly BenchPage[];
}

/** Signs up a member with cards to decide on, a match with a page of messages, and one with many. */
export async function prepareStage(url: string, mailbox: Mailbox): Promise<Stage> {
  const join = async (userId: string, sex: "female" | "male") => {
    const member = await signUp(url, mailbox, signUpForm(userId, { sex, username: userId }));
    await member.call(saveLocation, { location: LOCATION });
    return member;
  };
  const hanako = await join("bench-hanako", "female");
  const match = async (userId: string, messages: number) => {
    const other = await join(userId, "male");
    await hanako.call(likeUser, { likedId: other.userId });
    await other.call(likeUser, { likedId: hanako.userId });
    for (let i = 0; i < messages; i++) {
      const [from, to] = i % 2 === 0 ? [hanako, other] : [other, hanako];
      await from.call(sendDm, { receiverId: to.userId, description: `Message ${i} about herons and rain` });
    }
    return other;
  };
  const jiro = await match("bench-jiro", MANY_MESSAGES);
  const taro = await match("bench-taro", MESSAGES);
  for (let i = 0; i < CARDS; i++) await join(`bench-card-${i}`, "male");
  const pages: [name: string, path: string, isMember: boolean][] = [
    ["landing", "/en", false],
    ["login", "/en/login", false],
    ["about", "/en/about-service", false],
    ["prices", "/en/pricing", false],
    ["contact", "/en/contact", false],
    ["home", "/en", true],
    ["profile", `/en/home/${taro.userId}`, true],
    ["messages", "/en/dm", true],
    ["chat", `/en/dm/${taro.userId}`, true],
    ["settings", "/en/setting", true],
  ];
  return {
    hanako,
    chats: [
      { path: `/en/dm/${taro.userId}`, messages: MESSAGES },
      { path: `/en/dm/${jiro.userId}`, messages: MANY_MESSAGES },
    ],
    pages: pages.map(([name, path, isMember]) => ({ name, path, member: isMember ? hanako : null })),
  };
}
