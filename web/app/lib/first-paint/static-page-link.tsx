import type { ReactNode } from "react";
import { Link } from "react-router";
import { device } from "../../device/browser.ts";
import { useLock } from "../session/lock.ts";
import { useLanguagePath } from "../texts/use-language-path.ts";

export type StaticPage = "about-service" | "contact" | "privacy-policy" | "tos";

interface StaticPageLinkProps {
  page: StaticPage;
  className?: string;
  children: ReactNode;
}

/**
 * Loads the document of a static page. With a PIN the app shows the page itself: another document would be locked, and
 * drafts would be lost. The native wrapper has no such documents.
 */
export function StaticPageLink({ page, ...rest }: StaticPageLinkProps) {
  const base = useLanguagePath();
  const { isSet } = useLock();
  return <Link to={`${base}/${page}`} reloadDocument={!isSet && !device.isNative()} {...rest} />;
}
