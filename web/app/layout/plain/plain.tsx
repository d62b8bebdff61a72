import { useLayoutEffect, type ReactNode } from "react";
import { useTranslations } from "use-intl";
import { disguiseTab } from "../../lib/page/document-title.ts";
import { classNames } from "../../ui/class-names.ts";
import shellStyles from "../shell/shell.module.css";
import styles from "./plain.module.css";

/** A screen that looks like another app: no brand, the system's font, and the tab of a notes app. */
export function Plain({ children }: { children: ReactNode }) {
  const title = useTranslations("privacyScreen")("title");
  useLayoutEffect(() => disguiseTab(title), [title]);
  return <div className={classNames(shellStyles.page, styles.plain)}>{children}</div>;
}
