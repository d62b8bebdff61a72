import { Fragment, type ReactNode } from "react";
import { parseWebUrl } from "@alcove/contract/web-url";
import { settings } from "../../lib/page/settings.ts";
import { ExternalLink } from "../../ui/external-link.tsx";

/** Characters of languages that put no space around a link. */
const UNSPACED = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー・]`;
/** Neither spaces, quotes and angle brackets, nor full-width forms and punctuation of Chinese and Japanese. */
const PLAIN = String.raw`(?!${UNSPACED})[^\s<>"“”‘’«»…—\u3000-\u303F\uFE30-\uFE4F\uFF00-\uFFEF]`;
/** Such characters belong to the URL only at the start of one of its parts, as in `/wiki/東京`. */
const RUN = String.raw`(?<=[./=#_-])${UNSPACED}+`;

/** After the host and one slash, they belong to the sentence: nobody writes `https://a.example/東京`. */
const URL_PATTERN = new RegExp(
  String.raw`https?://(?:${RUN}|(?![/?#])${PLAIN})+(?:[/?#](?:(?:${PLAIN})+(?:${RUN})?)*)?`,
  "giu",
);

/** Punctuation that ends the sentence, not the URL. */
const TRAILING = /[.,;:!?'([{]$/;
const BRACKETS: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };

/** Returns a URL without the end of the sentence around it. A bracket that opens within the URL may close it. */
function withoutSentence(url: string): string {
  const last = url.at(-1) ?? "";
  const opening = BRACKETS[last];
  const isUnopened = opening !== undefined && url.split(last).length > url.split(opening).length;
  return isUnopened || TRAILING.test(url) ? withoutSentence(url.slice(0, -1)) : url;
}

export function linkify(text: string): ReactNode {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(URL_PATTERN)) {
    const url = withoutSentence(match[0]);
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
