export function flatten(value: unknown, key = ""): Map<string, string> {
  if (typeof value === "string") return new Map([[key, value]]);
  const inner = Object.entries(value ?? {}).map(([name, one]) => flatten(one, key ? `${key}.${name}` : name));
  return new Map(inner.flatMap((messages) => Array.from(messages)));
}
