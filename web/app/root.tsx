import "./ui/styles/global.css";
import "./ui/styles/start-view.css";
import { useEffect, type ReactNode } from "react";
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useParams,
  type LinksFunction,
} from "react-router";
import type { Route } from "./+types/root";
import { SearchEngineLinks } from "./layout/search-engine-links.tsx";
import { PlainErrorScreen } from "./layout/shell/error-screen.tsx";
import { privacyScreenScript } from "./lib/page/privacy-screen.ts";
import { markHydrated, preHydrationQueueScript } from "./lib/first-paint/pre-hydration-queue.ts";
import { inviterScript } from "./lib/sign-in/inviter.ts";
import { DOCUMENT_LANG, languageOfSegment } from "./lib/texts/language.ts";
import { settings, settingsElement } from "./lib/page/settings.ts";
import { startScript } from "./lib/first-paint/start-view.ts";
import headingFont from "./ui/fonts/marcellus-latin-400.woff2?url";
import shellStyles from "./layout/shell/shell.module.css";

/** Removes comments and indentation of a script. */
const withoutComments = (script: string): string => script.replaceAll(/^\s+(\/\/.*)?|(?<=;) \/\/.*$/gm, "");

export const links: LinksFunction = () => [
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  { rel: "icon", href: "/favicon-32.png", sizes: "32x32", type: "image/png" },
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
  { rel: "manifest", href: "/site.webmanifest" },
];

/** The title never reveals the page: it is always the brand's name. */
export const meta: Route.MetaFunction = () => [{ title: settings.brandName }];

export function Layout({ children }: { children: ReactNode }) {
  const { lang } = useParams();
  const language = languageOfSegment(lang);
  useEffect(markHydrated, []);
  return (
    <html lang={DOCUMENT_LANG[language]} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        {/* Without minimum-scale a rotated phone zooms out to an open menu, and stays so. */}
        <meta
          name="viewport"
          content="width=device-width, initial-scale=1, minimum-scale=1, viewport-fit=cover, interactive-widget=resizes-content"
        />
        {import.meta.env.SSR && <SearchEngineLinks />}
        <meta name="referrer" content="no-referrer" />
        <meta name="format-detection" content="telephone=no" />
        <meta name="theme-color" content="#eaeee9" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#0f1513" media="(prefers-color-scheme: dark)" />
        {/* Before the style sheet, because a script behind it waits for it. */}
        <script
          dangerouslySetInnerHTML={{
            __html: import.meta.env.SSR ? withoutComments(startScript()) : "",
          }}
        />
        {/* Headings of other languages have their own fonts. */}
        {language === "en" && (
          <link rel="preload" as="font" type="font/woff2" href={headingFont} crossOrigin="anonymous" />
        )}
        <Meta />
        <Links />
        <script
          id={settingsElement.id}
          type="application/json"
          dangerouslySetInnerHTML={{ __html: settingsElement.json() }}
        />
        <script
          dangerouslySetInnerHTML={{ __html: import.meta.env.SSR ? withoutComments(inviterScript()) : "" }}
        />
        <script
          dangerouslySetInnerHTML={{
            __html: import.meta.env.SSR ? withoutComments(privacyScreenScript()) : "",
          }}
        />
        <script
          dangerouslySetInnerHTML={{
            __html: import.meta.env.SSR ? withoutComments(preHydrationQueueScript()) : "",
          }}
        />
      </head>
      <body>
        {children}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

export default function Root() {
  return <Outlet />;
}

/** Shows until hydration on pages that are not prerendered. */
export function HydrateFallback() {
  return <div className={shellStyles.main} aria-busy="true" />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (isRouteErrorResponse(error)) return <PlainErrorScreen details={[error.status, error.statusText]} />;
  return <PlainErrorScreen details={[error instanceof Error && error.message]} />;
}
