import type { IncomingHttpHeaders } from "node:http";
import type { WebSocket } from "ws";
import type { Config } from "../../config.ts";

/** Matches a whole JSON string: the default icon, or a signed picture (`media/signed-urls.ts`). */
const PICTURE = /"(\/media\/(?:default-icon\.svg|[icm]\/[\w-]{102}))"/g;

const origins = new WeakMap<WebSocket, string>();

type Requester = { headers: IncomingHttpHeaders; protocol: string; host: string };

/** Pages of the native wrapper need the server's origin. */
export function originForNative(config: Config, { headers, protocol, host }: Requester): string | null {
  const isNative = headers.origin !== undefined && config.nativeOrigins.includes(headers.origin);
  return isNative ? (config.publicUrl ?? `${protocol}://${host}`) : null;
}

export function withAbsolutePictures(json: string, origin: string | null): string {
  return origin === null ? json : json.replaceAll(PICTURE, `"${origin}$1"`);
}

export function setPictureOrigin(ws: WebSocket, origin: string | null): void {
  if (origin !== null) origins.set(ws, origin);
}

export function textFor(ws: WebSocket, json: string): string {
  return withAbsolutePictures(json, origins.get(ws) ?? null);
}
