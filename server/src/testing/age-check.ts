import { sendDocument } from "../accounts/age-check/age-check.ts";
import { fileOf, quarters } from "./sample-pictures.ts";
import type { TestMember, TestService } from "./test-service.ts";

export async function sendSampleDocument({ ctx }: TestService, member: TestMember): Promise<void> {
  const checking = { ...ctx, config: { ...ctx.config, ageCheck: "document" as const } };
  const me = await ctx.authenticate(member.access);
  await sendDocument(checking, me, fileOf(await quarters().jpeg().toBuffer()));
}
