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
import { PlainErrorScreen } from "./layout/shell/error-screen.tsx";
import { privacyScreenScript } from "./lib/privacy-screen.ts";
import { markHydrated, preHydrationQueueScript } from "./lib/pre-hydration-queue.ts";
import { inviterScript } from "./lib/inviter.ts";
import { DOCUMENT_LANG, languageOfSegment } from "./lib/language.ts";
import { settings, settingsElement } from "./lib/settings.ts";
import "./ui/tokens.css";
import "./ui/components.css";

export const links: LinksFunction = () => [
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  { rel: "icon", href: "/favicon-32.png", sizes: "32x32", type: "image/png" },
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
  { rel: "manifest", href: "/site.webmanifest" },
];

/** Every title is the brand's name: it tells nobody what the page is (decisions, section 5). */
export const meta: Route.MetaFunction = () => [{ title: settings.brandName }];

/** The document around every page; the server fills the settings in when it starts. */
export function Layout({ children }: { children: ReactNode }) {
  const { lang } = useParams();
  useEffect(markHydrated, []);
  return (
    <html lang={DOCUMENT_LANG[languageOfSegment(lang)]} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta
          name="viewport"
          content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content"
        />
        <meta name="robots" content="noindex" />
        <meta name="referrer" content="no-referrer" />
        <meta name="format-detection" content="telephone=no" />
        <meta name="theme-color" content="#eaeee9" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#0f1513" media="(prefers-color-scheme: dark)" />
        <Meta />
        <Links />
        <script
          id={settingsElement.id}
          type="application/json"
          dangerouslySetInnerHTML={{ __html: settingsElement.json }}
        />
        <script dangerouslySetInnerHTML={{ __html: inviterScript }} />
        <script dangerouslySetInnerHTML={{ __html: privacyScreenScript }} />
        <script dangerouslySetInnerHTML={{ __html: preHydrationQueueScript }} />
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

/** What shows until the app runs, where no page was built beforehand. */
export function HydrateFallback() {
  return <div className="main" aria-busy="true" />;
}

/** Whatever no screen has handled: status and text, or the message, and a way on. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (isRouteErrorResponse(error)) return <PlainErrorScreen status={error.status} text={error.statusText} />;
  return <PlainErrorScreen status={null} text={error instanceof Error ? error.message : ""} />;
}
