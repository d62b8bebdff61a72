import { Fragment, type ReactNode } from "react";

const ADDRESS = /https?:\/\/[^\s<>"'）」』】、。，！？]+/g;
/** What ends a sentence is not a part of the address before it. */
const TAIL = /[.,;:!?)\]]+$/;

/** Text with its web addresses as links that tell nobody where one came from. */
export function linked(text: string): ReactNode {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(ADDRESS)) {
    const address = match[0].replace(TAIL, "");
    if (!URL.canParse(address)) continue;
    parts.push(
      <Fragment key={match.index}>
        {text.slice(end, match.index)}
        <a href={address} target="_blank" rel="noreferrer noopener nofollow">
          {address}
        </a>
      </Fragment>,
    );
    end = match.index + address.length;
  }
  return parts.length === 0 ? text : [...parts, text.slice(end)];
}
