import { access, constants, mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Makes a folder that is its owner's alone, and those above it that are missing.
 *
 * NOTE: one by one. Node's own `recursive` never comes back where the system knows nothing of making a folder below one
 * that is there, as in /proc.
 */
export async function makeFolder(path: string): Promise<void> {
  if (await isFolder(path)) return;
  const above = dirname(path);
  if (above !== path) await makeFolder(above);
  await mkdir(path, { mode: 0o700 }).catch(async (error: unknown) => {
    if (!(await isFolder(path))) throw error; // else another process was first
  });
}

/** Makes a folder where there is none, and throws unless files can be written into it: so a start learns of it. */
export async function openFolder(path: string): Promise<void> {
  await makeFolder(path);
  await access(path, constants.W_OK);
}

/** Nothing that cannot be looked at is one: what then fails is the making, which says why. */
async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
