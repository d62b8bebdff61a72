import { foldPassword } from "@alcove/contract/fields";
import { PASSWORD } from "@alcove/contract/limits";

/** A password that repeats so short a part is as easy to guess as the part. */
const REPEATED_MAX = 4;

let list: Promise<ReadonlySet<string>> | undefined;

/** Attackers try these passwords first. */
export async function commonPasswordError(password: string | undefined): Promise<"password_common" | null> {
  if (password === undefined) return null;
  const folded = foldPassword(password);
  const isCommon = isRun(folded) || isRepetition(folded) || (await (list ??= readList())).has(folded);
  return isCommon ? "password_common" : null;
}

async function readList(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  const longEnough = dictionary["passwords-common"].filter(({ length }) => length >= PASSWORD.min);
  return new Set(longEnough.map(foldPassword));
}

function isRun(text: string): boolean {
  const step = text.charCodeAt(1) - text.charCodeAt(0);
  const next = (at: number) => String.fromCharCode(text.charCodeAt(at) + step);
  return Math.abs(step) <= 1 && text.split("").every((unit, at) => at === 0 || unit === next(at - 1));
}

function isRepetition(text: string): boolean {
  const unitLength = (text + text).indexOf(text, 1);
  return unitLength < text.length && unitLength <= REPEATED_MAX;
}
