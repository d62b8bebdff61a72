import { renderToStaticMarkup, renderToString } from "react-dom/server";
import {
  createStaticHandler,
  createStaticRouter,
  StaticRouterProvider,
  type RouteObject,
  type StaticHandlerContext,
} from "react-router";
import { languages } from "@alcove/i18n";
import { Data, Document, type Files } from "./document.tsx";
import { SearchEngineLinks } from "./layout/search-engine-links.tsx";
import { DATA_ID } from "./lib/first-paint/built-page.ts";
import { HydrateFallback, routes } from "./routes.tsx";

/** Built in each language and readable without JavaScript. Each with its screen, whose scripts it preloads. */
const PUBLIC_PAGES = {
  "": "home/home",
  login: "login/login",
  "sign-up": "sign-up/sign-up",
  "reset-password": "reset-password/reset-password",
  "about-service": "public/about-service",
  "how-it-works": "public/how-it-works",
  pricing: "public/pricing",
  tos: "legal/tos",
  "privacy-policy": "legal/privacy-policy",
  provider: "legal/provider",
  accessibility: "legal/accessibility",
  "child-safety": "legal/child-safety",
  "delete-account": "legal/delete-account",
  contact: "contact/contact",
  notice: "notice/notice",
  unsubscribe: "public/unsubscribe",
  "404": "public/not-found",
};

/** A member's home loads them too, as soon as it starts. */
const MEMBER_MODULES = ["app/layout/member-overlays.tsx", "app/ui/more-icons.tsx"];

/** Returns the files that a page links. `modules` are those of its screen, `memberModules` those that members need too. */
type FilesOf = (modules: readonly string[], memberModules?: readonly string[]) => Files;

/** Returns the document of all screens that are not built. It has no content of its own. */
export function renderShell(filesOf: FilesOf): string {
  return documentOf(
    <Document
      language="en"
      files={filesOf([])}
      head={<meta name="robots" content="noindex" />}
      html={renderToString(<HydrateFallback />)}
    />,
  );
}

/** Returns the documents of public pages by their paths. */
export async function renderPages(filesOf: FilesOf): Promise<[path: string, document: string][]> {
  const pages = languages.flatMap((language) =>
    Object.entries(PUBLIC_PAGES).map(([page, screen]) => ({ language, page, screen })),
  );
  return Promise.all(
    pages.map(async ({ language, page, screen }): Promise<[string, string]> => {
      const path = `/${language}${page && `/${page}`}`;
      const { html, loaderData } = await renderRoute(path);
      const head = (
        <>
          <SearchEngineLinks language={language} page={page} />
          <Data id={DATA_ID} json={JSON.stringify(loaderData)} />
        </>
      );
      const texts = (part: string) => `../i18n/locales/${language}.json?part=${part}`;
      const memberModules = page === "" ? [texts("member"), ...MEMBER_MODULES] : [];
      const files = filesOf([`app/screens/${screen}.tsx`, texts("base")], memberModules);
      return [path, documentOf(<Document language={language} files={files} head={head} html={html} />)];
    }),
  );
}

const handler = createStaticHandler(routes);

async function renderRoute(path: string): Promise<{ html: string; loaderData: object }> {
  const context = (await handler.query(new Request(`http://localhost${path}`))) as StaticHandlerContext;
  const router = createStaticRouter(handler.dataRoutes, context);
  const page = <StaticRouterProvider router={router} context={context} hydrate={false} />;
  return { html: renderToString(page), loaderData: context.loaderData };
}

const documentOf = (page: React.ReactNode) => `<!doctype html>${renderToStaticMarkup(page)}`;

/** Such as `:lang/home/:userId`; without the catch-all. */
export function urlPatterns(): string[] {
  const patternsBelow = (all: readonly RouteObject[], parent: string): string[] =>
    all.flatMap(({ path = "", children = [] }) => {
      const pattern = [parent, path.replace(/^\//, "")].filter(Boolean).join("/");
      return [pattern, ...patternsBelow(children, pattern)];
    });
  return [...new Set(patternsBelow(routes, ""))].filter((it) => it !== "" && !it.includes("*"));
}
