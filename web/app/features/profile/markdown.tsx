import { memo, type ReactNode } from "react";
import Markdown, { type Components } from "react-markdown";
import { parseWebUrl } from "@alcove/contract/web-url";
import { settings } from "../../lib/page/settings.ts";
import { ExternalLink } from "../../ui/external-link.tsx";
import { limitMarkdownNesting } from "./limit-markdown-nesting.ts";
import proseStyles from "../../ui/styles/prose.module.css";

const ALLOWED = ["p", "strong", "em", "ul", "ol", "li", "a", "br", "blockquote", "code", "pre", "hr"];
const HEADINGS = ["h1", "h2", "h3", "h4", "h5", "h6"] as const;

/** A member's headings do not join the page's outline. */
const asHeading = ({ children }: { children?: ReactNode }) => (
  <p className={proseStyles.heading} dir="auto">
    {children}
  </p>
);

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
  p: ({ children }) => <p dir="auto">{children}</p>,
  li: ({ children }) => <li dir="auto">{children}</li>,
  img: ({ alt }) => alt,
  ol: ({ children }) => <ol>{children}</ol>, // starts at 1, because a long number has no room
};

/** Renders a member's Markdown without HTML and pictures. Memoised, because parsing a long text is slow. */
export const MemberMarkdown = memo(function MemberMarkdown({ text }: { text: string }) {
  return (
    <Markdown
      skipHtml
      allowedElements={[...ALLOWED, ...HEADINGS, "img"]}
      unwrapDisallowed
      components={components}
      urlTransform={(url) => parseWebUrl(url)?.href ?? ""}
    >
      {limitMarkdownNesting(text)}
    </Markdown>
  );
});
