import { writeFile } from "node:fs/promises";
import { OperatorError } from "./command-line.ts";

/** Never replaces a file. Only its owner reads it. */
export async function writeNewFile(path: string, content: Buffer | string): Promise<void> {
  await writeFile(path, content, { flag: "wx", mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(
      error.code === "EEXIST" ? `${path} already exists.` : `${path} cannot be written: ${error.message}`,
    );
  });
}
