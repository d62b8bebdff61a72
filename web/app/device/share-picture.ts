/** Returns a function that opens the system's share sheet, or null where it takes no picture. */
export function sharePicture(picture: File): (() => Promise<void>) | null {
  const content = { files: [picture] };
  const isPossible = typeof navigator.canShare === "function" && navigator.canShare(content);
  // It rejects when the member closes the sheet.
  return isPossible ? async () => navigator.share(content).catch(() => undefined) : null;
}
