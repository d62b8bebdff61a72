import type { LegalText } from "./legal-texts.ts";

/** The text has its own language, which may differ from the page's. */
export function LegalPage({ text }: { text: LegalText }) {
  return (
    <article className="prose" lang={text.lang}>
      <h1>{text.title}</h1>
      <p className="muted">{text.changed}</p>
      {text.sections.map(({ heading, paragraphs }) => (
        <section key={heading} className="prose legal__section">
          <h2>{heading}</h2>
          {paragraphs.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </section>
      ))}
    </article>
  );
}
