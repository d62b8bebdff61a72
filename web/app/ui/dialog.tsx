import { onDemand } from "./on-demand/on-demand.tsx";
import type { OverlayProps, SheetProps } from "./on-demand/dialog-window.tsx";

/** For a dialog that must also open without a connection. */
export async function preloadDialogs(): Promise<void> {
  await import("./on-demand/dialog-window.tsx");
}

/** A sheet from the bottom on a phone, a centred dialog on a desktop. */
export const Sheet = onDemand<SheetProps>(
  async () => (await import("./on-demand/dialog-window.tsx")).SheetWindow,
);

/** A dialog that covers the whole page, such as crop or slideshow. */
export const Overlay = onDemand<OverlayProps>(
  async () => (await import("./on-demand/dialog-window.tsx")).OverlayWindow,
);
