import { Dialog as Base } from "@base-ui/react/dialog";
import { createContext, useContext, useState, type ReactNode } from "react";
import { useTranslations } from "use-intl";
import { Icon } from "./icon.tsx";

/** While true, open dialogs are hidden with their state, and no dialog opens. */
export const DialogsPaused = createContext(false);

/** Keeps a hidden dialog mounted only if it was open before the pause. */
function usePausableDialog(isOpen: boolean): { isPaused: boolean; keepMounted: boolean } {
  const isPaused = useContext(DialogsPaused);
  const [wasShown, setWasShown] = useState(false);
  const isShown = isPaused ? wasShown && isOpen : isOpen;
  if (isShown !== wasShown) setWasShown(isShown);
  return { isPaused, keepMounted: isShown };
}

interface SheetProps {
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

/** A sheet from the bottom on a phone, a centred dialog on a desktop. */
export function Sheet({
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
        <Base.Viewport className="scrim">
          <Base.Popup className="sheet" finalFocus={focusAfter}>
            {picture}
            {closeButton ? (
              <div className="sheet__head">
                <Base.Title>{title}</Base.Title>
                <Base.Close className="icon-btn" aria-label={t("close")} title={t("close")}>
                  <Icon name="close" />
                </Base.Close>
              </div>
            ) : (
              <Base.Title>{title}</Base.Title>
            )}
            {children}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}

interface OverlayProps {
  isOpen: boolean;
  onClose: () => void;
  className: string;
  label: string;
  children: ReactNode;
}

/** A dialog that covers the whole page, such as crop or slideshow. */
export function Overlay({ isOpen, onClose, className, label, children }: OverlayProps) {
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
