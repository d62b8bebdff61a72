import { getDms, type Dm } from "@alcove/contract/messaging";
import type { TestMember } from "./test-service.ts";

/** Returns the oldest message first. */
export async function readAllMessages(member: Pick<TestMember, "call">, friendId: string): Promise<Dm[]> {
  const messages: Dm[] = [];
  for (let hasMore = true; hasMore;) {
    const page = await member.call(getDms, { friendId, lastId: messages[0]?.id ?? null });
    messages.unshift(...page.dms);
    hasMore = page.has_more;
  }
  return messages;
}
