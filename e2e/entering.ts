import type { SignedUp } from "@alcove/sandbox/client";
import type { Visitor } from "./stage.ts";

/** Opens a page as a member that logged in on this device before. */
export async function enter({ page, open }: Visitor, member: SignedUp, path: string): Promise<void> {
  await open("/tos");
  const { access, refresh } = member;
  await page.evaluate(
    (session) => localStorage.setItem("session", session),
    JSON.stringify({ access, refresh }),
  );
  await open(path);
}
