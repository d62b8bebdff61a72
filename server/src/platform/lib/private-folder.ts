import { access, constants, mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

/** NOTE: Node's own `recursive` never returns where the system cannot create folders, as in /proc. */
export async function createPrivateFolder(path: string): Promise<void> {
  if (await isFolder(path)) return;
  const above = dirname(path);
  if (above !== path) await createPrivateFolder(above);
  await mkdir(path, { mode: 0o700 }).catch(async (error: unknown) => {
    if (!(await isFolder(path))) throw error;
  });
}

export async function openPrivateFolder(path: string): Promise<void> {
  await createPrivateFolder(path);
  await access(path, constants.W_OK);
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
