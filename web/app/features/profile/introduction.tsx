import { lazy, Suspense, type ReactNode } from "react";
import { LoadBoundary } from "../../ui/on-demand/load-boundary.tsx";
import proseStyles from "../../ui/styles/prose.module.css";

/** May find too much: plain text looks the same as Markdown. */
const MARKDOWN =
  /[*_`[\]<>\\&#]|^[ \t]*(?:[-+]|\d{1,9}[.)])(?=[ \t]|$)|^(?: {4}|\t)|^[-=]+[ \t]*$| {2}$|www\.|:\/\//m;

const MemberMarkdown = lazy(async () => ({ default: (await import("./markdown.tsx")).MemberMarkdown }));

/** A member's text. The Markdown parser is loaded only for a text that needs it. */
export function Introduction({ text }: { text: string }) {
  const isMarkdown = MARKDOWN.test(text);
  const plain = <Paragraphs text={isMarkdown ? withoutSigns(text) : text} />;
  return (
    <div className={proseStyles.prose}>
      {isMarkdown ? (
        <LoadBoundary instead={plain}>
          <Suspense fallback={plain}>
            <MemberMarkdown text={text} />
          </Suspense>
        </LoadBoundary>
      ) : (
        plain
      )}
    </div>
  );
}

/** Until the parser has arrived, the words show without their signs. */
function withoutSigns(text: string): string {
  return text
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/^[ \t]*(?:#{1,6}|>)[ \t]+/gm, "")
    .replaceAll(/[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}/g, "");
}

function Paragraphs({ text }: { text: string }): ReactNode {
  const paragraphs = text.split(/\n\s*\n/).filter((paragraph) => paragraph.trim() !== "");
  return paragraphs.map((paragraph, at) => {
    const key = `${at} ${paragraph}`;
    return (
      <p key={key} dir="auto">
        {paragraph}
      </p>
    );
  });
}
