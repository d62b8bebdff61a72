import { Fragment, type ReactNode } from "react";
import { parseWebUrl } from "@alcove/contract/web-url";
import { settings } from "../../lib/settings.ts";
import { ExternalLink } from "../../ui/external-link.tsx";

const ADDRESS = /https?:\/\/[^\s<>"'）」』】、。，！？]+/g;
/** What ends a sentence is not a part of the address before it. */
const TAIL = /[.,;:!?)\]]+$/;

/** Text with its web addresses as links, each of which asks before it leads away. */
export function linkify(text: string): ReactNode {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(ADDRESS)) {
    const address = match[0].replace(TAIL, "");
    const to = parseWebUrl(address);
    if (!to) continue;
    parts.push(
      <Fragment key={match.index}>
        {text.slice(end, match.index)}
        <ExternalLink to={to} brand={settings.brandName}>
          {address}
        </ExternalLink>
      </Fragment>,
    );
    end = match.index + address.length;
  }
  return parts.length === 0 ? text : [...parts, text.slice(end)];
}
