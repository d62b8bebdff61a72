import { Dialog as Base } from "@base-ui/react/dialog";
import { useContext, useState, type ReactNode } from "react";
import { useTranslations } from "use-intl";
import { DialogsPaused } from "./dialogs-paused.ts";
import { Icon } from "../icon.tsx";
import dialogStyles from "../dialog.module.css";
import buttonStyles from "../button.module.css";

/** Keeps a hidden dialog mounted only if it was open before the pause. */
function usePausableDialog(isOpen: boolean): { isPaused: boolean; keepMounted: boolean } {
  const isPaused = useContext(DialogsPaused);
  const [wasShown, setWasShown] = useState(false);
  const isShown = isPaused ? wasShown && isOpen : isOpen;
  if (isShown !== wasShown) setWasShown(isShown);
  return { isPaused, keepMounted: isShown };
}

export interface SheetProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** A small picture above the title. */
  picture?: ReactNode;
  /** Adds a close button beside the title. */
  closeButton?: boolean;
  /** The element that gets the focus after closing; by default the one before. */
  focusAfter?: () => HTMLElement | null;
  children: ReactNode;
}

export function SheetWindow({
  isOpen,
  onClose,
  title,
  picture,
  closeButton = false,
  focusAfter,
  children,
}: SheetProps) {
  const t = useTranslations("ui");
  const { isPaused, keepMounted } = usePausableDialog(isOpen);
  return (
    <Base.Root open={isOpen && !isPaused} onOpenChange={(open) => !open && onClose()}>
      <Base.Portal keepMounted={keepMounted}>
        <Base.Viewport className={dialogStyles.scrim}>
          <Base.Popup className={dialogStyles.sheet} finalFocus={focusAfter}>
            {!closeButton && picture}
            {closeButton ? (
              <div className={dialogStyles.head}>
                {picture ?? <Base.Title>{title}</Base.Title>}
                <Base.Close className={buttonStyles.iconButton} aria-label={t("close")} title={t("close")}>
                  <Icon name="close" />
                </Base.Close>
              </div>
            ) : (
              <Base.Title>{title}</Base.Title>
            )}
            {closeButton && picture && <Base.Title>{title}</Base.Title>}
            {children}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}

export interface OverlayProps {
  isOpen: boolean;
  onClose: () => void;
  className: string | undefined;
  label: string;
  children: ReactNode;
}

export function OverlayWindow({ isOpen, onClose, className, label, children }: OverlayProps) {
  const { isPaused, keepMounted } = usePausableDialog(isOpen);
  return (
    <Base.Root open={isOpen && !isPaused} onOpenChange={(open) => !open && onClose()}>
      <Base.Portal keepMounted={keepMounted}>
        <Base.Popup className={className} aria-label={label}>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
