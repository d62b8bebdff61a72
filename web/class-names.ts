/** Hashes only, like the names of files: a page that is read over a shoulder names no screen. */
export const CLASS_NAMES = { generateScopedName: "[hash:base64:6]" };
