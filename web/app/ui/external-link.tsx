import { useState, type MouseEvent, type ReactNode } from "react";
import { useTranslations } from "use-intl";
import { buttonClass, Button } from "./button.tsx";
import { Sheet } from "./dialog.tsx";

/** How a link leaves: elsewhere, and without telling where one came from. */
const LINK_ATTRIBUTES = {
  target: "_blank",
  rel: "noopener noreferrer nofollow",
  referrerPolicy: "no-referrer",
} as const;

interface ExternalLinkProps {
  to: URL;
  /** The name of what is left. */
  brand: string;
  children: ReactNode;
}

/**
 * A link out of the service that a member wrote, wherever it is shown. It says first where it really leads: its words
 * may say something else, and whoever runs that place sees who comes.
 */
export function ExternalLink({ to, brand, children }: ExternalLinkProps) {
  /** Null until somebody wants to leave for the first time: most links only stand there. */
  const [isAsking, setAsking] = useState<boolean | null>(null);
  const ask = (event: MouseEvent) => {
    event.preventDefault();
    setAsking(true);
  };
  return (
    <>
      <a
        href={to.href}
        {...LINK_ATTRIBUTES}
        onClick={ask}
        onAuxClick={(event) => event.button === 1 && ask(event)} // the middle button opens a tab too
      >
        {children}
      </a>
      {isAsking !== null && (
        <LeaveSheet to={to} brand={brand} isOpen={isAsking} onClose={() => setAsking(false)} />
      )}
    </>
  );
}

interface LeaveSheetProps extends Omit<ExternalLinkProps, "children"> {
  isOpen: boolean;
  onClose: () => void;
}

/** NOTE: the host as machines write it (`xn--…`): letters that look like others cannot pass for them. */
function LeaveSheet({ to, brand, isOpen, onClose }: LeaveSheetProps) {
  const t = useTranslations("externalLink");
  return (
    <Sheet isOpen={isOpen} onClose={onClose} title={t("title", { brand })}>
      <p>{t("text", { brand, host: to.host })}</p>
      <div className="sheet__actions">
        <a
          className={buttonClass({ kind: "quiet", block: true })}
          href={to.href}
          {...LINK_ATTRIBUTES}
          onClick={onClose}
        >
          {t("open")}
        </a>
        <Button onClick={onClose}>{t("stay")}</Button>
      </div>
    </Sheet>
  );
}
