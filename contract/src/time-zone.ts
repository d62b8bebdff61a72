const NAME_MAX = 64;

/** Returns null unless this is the name of a zone, such as `Asia/Tokyo` or `UTC`. */
export function parseTimeZone(name: string): string | null {
  if (name.length > NAME_MAX || !/^[A-Za-z]/.test(name)) return null;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return name;
  } catch {
    return null;
  }
}
