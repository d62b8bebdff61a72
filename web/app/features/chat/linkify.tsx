import { Fragment, type ReactNode } from "react";
import { parseWebUrl } from "@alcove/contract/web-url";
import { settings } from "../../lib/page/settings.ts";
import { ExternalLink } from "../../ui/external-link.tsx";

const URL_PATTERN = /https?:\/\/[^\s<>"'）」』】、。，！？]+/g;
/** Punctuation that ends the sentence, not the URL. */
const TRAILING_PUNCTUATION = /[.,;:!?)\]]+$/;

export function linkify(text: string): ReactNode {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(URL_PATTERN)) {
    const url = match[0].replace(TRAILING_PUNCTUATION, "");
    const to = parseWebUrl(url);
    if (!to) continue;
    parts.push(
      <Fragment key={match.index}>
        {text.slice(end, match.index)}
        <ExternalLink to={to} brand={settings.brandName}>
          {url}
        </ExternalLink>
      </Fragment>,
    );
    end = match.index + url.length;
  }
  return parts.length === 0 ? text : [...parts, text.slice(end)];
}
