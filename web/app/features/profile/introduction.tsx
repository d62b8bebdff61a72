import { memo, type ReactNode } from "react";
import Markdown, { type Components } from "react-markdown";
import { parseWebUrl } from "@alcove/contract/web-url";
import { settings } from "../../lib/settings.ts";
import { ExternalLink } from "../../ui/external-link.tsx";
import { limitMarkdownNesting } from "./limit-markdown-nesting.ts";

const ALLOWED = ["p", "strong", "em", "ul", "ol", "li", "a", "br", "blockquote", "code", "pre", "hr"];
const HEADINGS = ["h1", "h2", "h3", "h4", "h5", "h6"] as const;

/** The page has an outline of its own, which nobody's words become a part of. */
const asHeading = ({ children }: { children?: ReactNode }) => <p className="prose__heading">{children}</p>;

const components: Components = {
  ...Object.fromEntries(HEADINGS.map((level) => [level, asHeading])),
  a: ({ href, children }) => {
    const to = parseWebUrl(href ?? "");
    return to ? (
      <ExternalLink to={to} brand={settings.brandName}>
        {children}
      </ExternalLink>
    ) : (
      children
    );
  },
  img: ({ alt }) => alt,
  ol: ({ children }) => <ol>{children}</ol>, // counts from 1: a number of nine digits has no room
};

/**
 * What somebody wrote of itself, as Markdown: no raw HTML, no pictures, links only to the web and after a warning. Read
 * once: a long text of marks takes its time.
 */
export const Introduction = memo(function Introduction({ text }: { text: string }) {
  return (
    <div className="prose">
      <Markdown
        skipHtml
        allowedElements={[...ALLOWED, ...HEADINGS, "img"]}
        unwrapDisallowed
        components={components}
        urlTransform={(url) => parseWebUrl(url)?.href ?? ""}
      >
        {limitMarkdownNesting(text)}
      </Markdown>
    </div>
  );
});
