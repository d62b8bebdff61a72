import type { CallRequest } from "./send-call.ts";

/** Like `fetch`, which reports no progress. `onProgress` gets the sent part, from 0 to 1. */
export function upload(
  url: string,
  { method, headers, body, signal }: CallRequest,
  onProgress: (part: number) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const fail = () => reject(new TypeError("the upload failed"));
    request.open(method, url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener("progress", ({ loaded, total }) => onProgress(loaded / total));
    request.addEventListener("load", () => {
      const { status, responseText } = request;
      resolve(new Response(status === 204 ? null : responseText, { status }));
    });
    request.addEventListener("error", fail);
    request.addEventListener("abort", fail);
    signal?.addEventListener("abort", () => request.abort());
    if (signal?.aborted) fail();
    else request.send(body);
  });
}
