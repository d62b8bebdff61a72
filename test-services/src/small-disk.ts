import { spawnSync } from "node:child_process";
import { mkdtempSync, rmdirSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A file system of its own in memory, which can run full. Mounting it needs root, or `sudo` without a password. */
export interface SmallDisk {
  readonly path: string;
  /** Takes all space but `spareBytes`. */
  fill(spareBytes: number): void;
  free(): void;
  close(): void;
}

const MEGABYTE = Buffer.alloc(2 ** 20);

export function mountSmallDisk(megabytes: number): SmallDisk {
  const path = mkdtempSync(join(tmpdir(), "alcove-disk-"));
  runAsRoot(
    "mount",
    "-t",
    "tmpfs",
    "-o",
    `size=${megabytes}m,mode=755,uid=${process.getuid!()}`,
    "tmpfs",
    path,
  );
  const ballast = join(path, "ballast");
  const free = () => rmSync(ballast, { force: true });
  return {
    path,
    fill(spareBytes) {
      try {
        for (;;) writeFileSync(ballast, MEGABYTE, { flag: "a" });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
      }
      truncateSync(ballast, statSync(ballast).size - spareBytes);
    },
    free,
    close() {
      free();
      runAsRoot("umount", "--lazy", path);
      rmdirSync(path);
    },
  };
}

function runAsRoot(...command: string[]): void {
  const [program = "", ...args] = process.getuid?.() === 0 ? command : ["sudo", "-n", ...command];
  const { status, stderr, error } = spawnSync(program, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${command.join(" ")} needs root: ${error?.message ?? stderr}`);
}
