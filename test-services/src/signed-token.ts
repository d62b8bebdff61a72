import { createPublicKey, verify } from "node:crypto";

type Part = Readonly<Record<string, unknown>>;

/** Reads a JSON Web Token that this key has signed. Throws for another signature. */
export function readSignedToken(token: string, publicKey: string): { header: Part; claims: Part } {
  const [head = "", payload = "", signature = ""] = token.split(".");
  const isSigned = verify(
    "sha256",
    Buffer.from(`${head}.${payload}`),
    { key: createPublicKey(publicKey), dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  if (!isSigned) throw new Error("another key signed the token");
  const parse = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString()) as Part;
  return { header: parse(head), claims: parse(payload) };
}
