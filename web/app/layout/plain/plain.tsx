import { useLayoutEffect, type ReactNode } from "react";
import { useTranslations } from "use-intl";
import { disguiseTab } from "../../lib/page/document-title.ts";

/** A screen that looks like another app: no brand, the system's font, and the tab of a notes app. */
export function Plain({ children }: { children: ReactNode }) {
  const title = useTranslations("privacyScreen")("title");
  useLayoutEffect(() => disguiseTab(title), [title]);
  return <div className="page plain">{children}</div>;
}
