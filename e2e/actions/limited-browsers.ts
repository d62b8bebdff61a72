import type { BrowserContext } from "@playwright/test";

/** Deletes what one of the oldest supported browsers lacks. */
export async function removeNewerFunctions(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const iterators = Object.getPrototypeOf(Object.getPrototypeOf([].values())) as object;
    const newer: [object | undefined, ...string[]][] = [
      [URL, "parse", "canParse"],
      [URLSearchParams.prototype, "size"],
      [Promise, "withResolvers", "try"],
      [Array, "fromAsync"],
      [Array.prototype, "toSorted", "toReversed", "toSpliced", "with"],
      [String.prototype, "isWellFormed", "toWellFormed"],
      [Set.prototype, "union", "intersection", "difference", "symmetricDifference"],
      [Set.prototype, "isSubsetOf", "isSupersetOf", "isDisjointFrom"],
      [Object, "groupBy"],
      [Map, "groupBy"],
      [Uint8Array, "fromBase64", "fromHex"],
      [Uint8Array.prototype, "toBase64", "toHex"],
      [ArrayBuffer.prototype, "transfer", "resize"],
      [RegExp, "escape"],
      [Response, "json"],
      [Response.prototype, "bytes"],
      [Blob.prototype, "bytes"],
      [ReadableStream, "from"],
      [ReadableStream.prototype, "values"],
      [Element.prototype, "checkVisibility", "getHTML"],
      [HTMLDialogElement.prototype, "requestClose"],
      [AbortSignal, "any"],
      [Intl, "Segmenter", "DurationFormat"],
      [iterators, "map", "filter", "toArray", "find", "some", "every", "reduce", "take", "drop", "flatMap"],
      [Document.prototype, "startViewTransition", "caretPositionFromPoint"],
      [HTMLElement.prototype, "popover", "togglePopover", "showPopover", "hidePopover"],
      [Navigator.prototype, "userActivation", "connection", "userAgentData", "deviceMemory"],
      [window, "requestIdleCallback", "cancelIdleCallback", "scheduler", "navigation", "Iterator"],
      [window, "CloseWatcher", "URLPattern", "Temporal", "trustedTypes", "Highlight"],
    ];
    for (const [owner, ...names] of newer)
      for (const name of owner ? names : []) Reflect.deleteProperty(owner!, name);
  });
}

/** Denies all storage, as browsers do where the visitor blocks the site's data. */
export async function blockStorage(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const deny = () => {
      throw new DOMException("Access is denied for this document.", "SecurityError");
    };
    for (const name of ["localStorage", "sessionStorage", "caches", "indexedDB"])
      Object.defineProperty(window, name, { get: deny });
    LockManager.prototype.request = async () => deny();
    ServiceWorkerContainer.prototype.getRegistrations = async () => deny();
  });
}

/** Lets no socket open, and none fail either, as behind a proxy that drops them. */
export async function holdSockets(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    class HeldSocket extends EventTarget {
      static readonly OPEN = 1;
      readyState = 0;
      send() {
        throw new DOMException("The socket is not open.", "InvalidStateError");
      }
      close() {
        this.readyState = 3;
      }
    }
    window.WebSocket = HeldSocket as unknown as typeof WebSocket;
  });
}

/** Sets the clock of the device wrong. */
export async function shiftClock(context: BrowserContext, hours: number): Promise<void> {
  await context.addInitScript((shiftMs) => {
    const now = Date.now.bind(Date);
    window.Date = class extends Date {
      constructor(...args: [number]) {
        if (args.length > 0) super(...args);
        else super(now() + shiftMs);
      }
      static override now = () => now() + shiftMs;
    } as DateConstructor;
  }, hours * 3_600_000);
}
