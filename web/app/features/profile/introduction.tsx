import Markdown, { type Components } from "react-markdown";
import { useTranslations } from "use-intl";

const ALLOWED = ["p", "strong", "em", "del", "ul", "ol", "li", "a", "br", "blockquote", "code", "pre", "hr"];

/** What somebody wrote of itself, as Markdown: no raw HTML, no pictures, links that tell nobody where one came from. */
export function Introduction({ text }: { text: string }) {
  const t = useTranslations("profile");
  const components: Components = {
    a: ({ href, children }) =>
      href ? (
        <a href={href} target="_blank" rel="noreferrer noopener nofollow" title={t("linkWarning")}>
          {children}
        </a>
      ) : (
        children
      ),
  };
  return (
    <div className="prose">
      <Markdown
        skipHtml
        allowedElements={ALLOWED}
        unwrapDisallowed
        components={components}
        urlTransform={webAddress}
      >
        {text}
      </Markdown>
    </div>
  );
}

/** Only http and https lead anywhere; what names anything else is no link. */
function webAddress(url: string): string {
  if (!URL.canParse(url)) return "";
  return ["http:", "https:"].includes(new URL(url).protocol) ? url : "";
}
