import type { ReactNode } from "react";
import type { Language } from "@alcove/i18n";
import packageJson from "../package.json" with { type: "json" };
import { APP_ID, startAppScript } from "./lib/first-paint/built-page.ts";
import { outdatedBrowserScript } from "./lib/first-paint/outdated-browser.ts";
import { preHydrationQueueScript } from "./lib/first-paint/pre-hydration-queue.ts";
import { startScript } from "./lib/first-paint/start-view.ts";
import { passkeyScript } from "./lib/passkeys/offers-passkeys.ts";
import { privacyScreenScript } from "./lib/page/privacy-screen.ts";
import { settings, settingsElement } from "./lib/page/settings.ts";
import { inviterScript } from "./lib/sign-in/inviter.ts";
import { DOCUMENT_LANG } from "./lib/texts/language.ts";
import headingFont from "./ui/fonts/marcellus-latin-400.woff2?url";

/** Paths of built files. */
export interface Files {
  entry: string;
  styles: string;
  /** Scripts that the page needs as soon as the app starts. */
  scripts: Iterable<string>;
  /** Scripts that the page of a member needs besides. */
  memberScripts: Iterable<string>;
}

interface DocumentProps {
  language: Language;
  files: Files;
  /** Elements of the head. */
  head: ReactNode;
  /** The content, which the app hydrates. */
  html: string;
}

/** A document around the app. React renders it only when pages are built. */
export function Document({ language, files, head, html }: DocumentProps) {
  return (
    <html lang={DOCUMENT_LANG[language]}>
      <head>
        <meta charSet="utf-8" />
        {/* Without minimum-scale a rotated phone zooms out to an open menu, and stays so. */}
        <meta
          name="viewport"
          content="width=device-width, initial-scale=1, minimum-scale=1, viewport-fit=cover, interactive-widget=resizes-content"
        />
        {head}
        <meta name="referrer" content="no-referrer" />
        <meta name="format-detection" content="telephone=no" />
        <meta name="theme-color" content="#eaeee9" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#0f1513" media="(prefers-color-scheme: dark)" />
        {/* Before all other scripts, which it may switch off. */}
        <Script code={outdatedBrowserScript(packageJson.browserslist)} />
        {/* Before the style sheet, because a script behind it waits for it. */}
        <Script code={startScript()} />
        <Script code={passkeyScript()} />
        <Script code={startAppScript(files)} />
        {/* Headings of other languages have their own fonts. */}
        {language === "en" && (
          <link rel="preload" as="font" type="font/woff2" href={headingFont} crossOrigin="anonymous" />
        )}
        {/* The title never reveals the page: it is always the brand's name. */}
        <title>{settings.brandName}</title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="icon" href="/favicon-32.png" sizes="32x32" type="image/png" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href="/site.webmanifest" />
        <link rel="stylesheet" href={files.styles} />
        <Data id={settingsElement.id} json={settingsElement.json()} />
        <Script code={inviterScript()} />
        <Script code={privacyScreenScript()} />
        <Script code={preHydrationQueueScript()} />
      </head>
      <body>
        <div id={APP_ID} dangerouslySetInnerHTML={{ __html: html }} />
      </body>
    </html>
  );
}

function Script({ code }: { code: string }) {
  const withoutComments = code.replaceAll(/^\s+(\/\/.*)?|(?<=;) \/\/.*$/gm, "");
  return <script dangerouslySetInnerHTML={{ __html: withoutComments }} />;
}

/** NOTE: no value contains "<". */
export function Data({ id, json }: { id: string; json: string }) {
  return <script id={id} type="application/json" dangerouslySetInnerHTML={{ __html: json }} />;
}
