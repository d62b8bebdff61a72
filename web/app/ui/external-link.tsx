import { useState, type MouseEvent, type ReactNode } from "react";
import { useTranslations } from "use-intl";
import { buttonClass, Button } from "./button.tsx";
import { Sheet } from "./dialog.tsx";
import styles from "./dialog.module.css";

const LINK_ATTRIBUTES = {
  target: "_blank",
  rel: "noopener noreferrer nofollow",
  referrerPolicy: "no-referrer",
} as const;

interface ExternalLinkProps {
  to: URL;
  brand: string;
  className?: string;
  children: ReactNode;
}

/**
 * A link that a member wrote. It shows its real host first, because its text can deceive and its site sees the
 * visitor.
 */
export function ExternalLink({ to, brand, className, children }: ExternalLinkProps) {
  /** Null until the first click, so that most links mount no dialog. */
  const [isConfirming, setConfirming] = useState<boolean | null>(null);
  const confirm = (event: MouseEvent) => {
    event.preventDefault();
    setConfirming(true);
  };
  return (
    <>
      <a
        className={className}
        href={to.href}
        {...LINK_ATTRIBUTES}
        onClick={confirm}
        onAuxClick={(event) => event.button === 1 && confirm(event)} // the middle button opens a tab too
      >
        {children}
      </a>
      {isConfirming !== null && (
        <ConfirmSheet to={to} brand={brand} isOpen={isConfirming} onClose={() => setConfirming(false)} />
      )}
    </>
  );
}

interface ConfirmSheetProps extends Omit<ExternalLinkProps, "className" | "children"> {
  isOpen: boolean;
  onClose: () => void;
}

/** NOTE: Shows the host in its ASCII form (`xn--…`), so that similar characters cannot deceive. */
function ConfirmSheet({ to, brand, isOpen, onClose }: ConfirmSheetProps) {
  const t = useTranslations("externalLink");
  return (
    <Sheet isOpen={isOpen} onClose={onClose} title={t("title", { brand })}>
      <p>{t("text", { brand, host: to.host })}</p>
      <div className={styles.actions}>
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
