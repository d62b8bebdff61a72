import { likeUser, passUser, type Verdict } from "@alcove/contract/discovery";
import type { api } from "../../lib/api/api.ts";

/** Likes or passes. Returns whether the like makes a match. */
export async function sendVerdict(request: typeof api, userId: string, verdict: Verdict): Promise<boolean> {
  if (verdict === "like") return (await request(likeUser, { likedId: userId })).matched;
  await request(passUser, { unlikedId: userId });
  return false;
}
