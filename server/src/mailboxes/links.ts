import { openToken, sealToken } from "../platform/keys/sealed-token.ts";
import type { AppContext } from "../platform/context.ts";
import { UUID_BYTES, uuidAt, writeUuid } from "../platform/lib/uuid-bytes.ts";

const PURPOSE = "email links";
const KINDS = ["change", "request", "confirm"] as const;
const MEMBER_AT = 1;
const NO_AT = 9;

export type Link =
  | { readonly kind: "change"; readonly memberId: number; readonly changeNo: number }
  | { readonly kind: "request" | "confirm"; readonly memberId: number; readonly requestId: string };

/** Encrypted, because a member's number stays inside. */
function makeLinkToken({ secrets }: Pick<AppContext, "secrets">, link: Link): string {
  const isChange = link.kind === "change";
  const bytes = Buffer.alloc(NO_AT + (isChange ? 8 : UUID_BYTES));
  bytes.writeUInt8(KINDS.indexOf(link.kind));
  bytes.writeBigUInt64BE(BigInt(link.memberId), MEMBER_AT);
  if (isChange) bytes.writeBigUInt64BE(BigInt(link.changeNo), NO_AT);
  else writeUuid(bytes, NO_AT, link.requestId);
  return sealToken(secrets, bytes, PURPOSE);
}

export function readLinkToken({ secrets }: Pick<AppContext, "secrets">, token: string): Link | null {
  const bytes = openToken(secrets, token, PURPOSE);
  if (!bytes) return null;
  const kind = KINDS[bytes.readUInt8()]!;
  const memberId = Number(bytes.readBigUInt64BE(MEMBER_AT));
  if (kind === "change") return { kind, memberId, changeNo: Number(bytes.readBigUInt64BE(NO_AT)) };
  return { kind, memberId, requestId: uuidAt(bytes, NO_AT) };
}

/** The token is in the fragment, which no server and no log gets. */
export function linkUrl(
  ctx: Pick<AppContext, "secrets">,
  { origin, language }: { origin: string; language: string },
  link: Link,
): string {
  const page = link.kind === "confirm" ? "email-confirm" : "email-undo";
  return `${origin}/${language}/${page}#${makeLinkToken(ctx, link)}`;
}
