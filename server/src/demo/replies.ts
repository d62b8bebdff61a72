import type { Dm, ReactionName } from "@alcove/contract/messaging";
import { SeededRandom } from "./seeded-random.ts";
import type { Voice } from "./phrases/phrases.ts";

const NOT_REPEATED = 3;
const REACTIONS: readonly ReactionName[] = ["heart", "laugh", "wow", "thanks", "yes"];
const REACTION_PROBABILITY = 0.4;

export function replyTo(
  message: Pick<Dm, "id" | "description" | "file">,
  { previousReplies, voice: { replies } }: { previousReplies: readonly string[]; voice: Voice },
): string {
  const suitable =
    previousReplies.length === 0 && message.file === null ? replies.first : followUps(message, replies);
  const recent = previousReplies.slice(-NOT_REPEATED);
  const unused = suitable.filter((reply) => !recent.includes(reply));
  return new SeededRandom(message.id).pick(unused.length > 0 ? unused : suitable);
}

function followUps(
  { description, file }: Pick<Dm, "description" | "file">,
  replies: Voice["replies"],
): readonly string[] {
  if (file !== null) return replies.toImage;
  return /[?？]|[吗嗎呢][。\s]*$|か[。\s]*$/u.test(description ?? "") ? replies.toQuestion : replies.later;
}

export function reactionTo(messageId: string): ReactionName | null {
  const random = new SeededRandom(`reaction ${messageId}`);
  return random.chance(REACTION_PROBABILITY) ? random.pick(REACTIONS) : null;
}
