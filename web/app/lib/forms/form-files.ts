/** Files of sent forms, until their action reads them. */
const waiting = new Map<string, File>();

/**
 * Replaces files by keys, for a form that goes through a `Request`. Safari cannot read a form with files back from one: it
 * throws "Unable to read form data blob".
 */
export function withoutFiles(form: FormData): FormData {
  const sent = new FormData();
  for (const [name, value] of form) {
    if (typeof value === "string") {
      sent.append(name, value);
      continue;
    }
    const key = `file ${crypto.randomUUID()}`;
    waiting.set(key, value);
    sent.append(name, key);
  }
  return sent;
}

/** Reads a form that `withoutFiles` prepared, once. */
export async function readWithFiles(request: Request): Promise<FormData> {
  const form = new FormData();
  for (const [name, value] of await request.formData()) {
    const file = typeof value === "string" ? waiting.get(value) : undefined;
    if (file) waiting.delete(value as string);
    form.append(name, file ?? value);
  }
  return form;
}
