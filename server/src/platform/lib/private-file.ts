import { randomUUID } from "node:crypto";
import { link, open, readdir, realpath, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** The file appears complete or not at all. Simultaneous processes keep the first one's file. */
export async function createPrivateFile(path: string, text: string): Promise<void> {
  const draft = await writeDraft(path, text);
  try {
    await link(draft, path);
    await syncFolder(dirname(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Also removes drafts of killed processes. Only one process at a time may call it. */
export async function replacePrivateFile(given: string, text: string): Promise<void> {
  // A replaced link would leave the old keys at its target.
  const path = await realpath(given);
  const folder = dirname(path);
  const drafts = (await readdir(folder)).filter((name) => name.startsWith(draftPrefix(path)));
  await Promise.all(drafts.map((name) => rm(join(folder, name), { force: true })));
  const draft = await writeDraft(path, text);
  try {
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

export function draftPrefix(path: string): string {
  return `.${basename(path)}.draft-`;
}

async function writeDraft(path: string, text: string): Promise<string> {
  const draft = join(dirname(path), `${draftPrefix(path)}${randomUUID()}`);
  const file = await open(draft, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  return draft;
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
