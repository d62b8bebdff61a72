import { register } from "@alcove/contract/accounts";
import { parseFields } from "@alcove/contract/fields";
import type { User } from "@alcove/contract/users";

/** The valid fields of a form that is not finished, and its texts as typed. */
export function typedProfile(values: Readonly<Record<string, string>>): Partial<User> {
  const parsed = parseFields(register.input, values);
  const { username, description, purpose, hobby, twitter, instagram, facebook, line } = values;
  const texts = { username, description, purpose, hobby, twitter, instagram, facebook, line };
  const typed = Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== undefined));
  return { ...((parsed.ok ? parsed.value : parsed.valid) as Partial<User>), ...typed };
}
