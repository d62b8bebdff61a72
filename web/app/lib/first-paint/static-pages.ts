/** Pages that the build writes without React. Their only script is `static-page/start.ts`. */
const STATIC_PAGES = ["about-service", "pricing", "tos", "privacy-policy", "contact", "unsubscribe", "404"];

/** Whether the build writes this document as a static page. Always false in a browser, where React renders. */
export function isStaticDocument(pathname: string): boolean {
  const [, , page = ""] = pathname.split("/");
  return typeof document === "undefined" && STATIC_PAGES.includes(page);
}
