import { Dialog as Base } from "@base-ui/react/dialog";
import { createContext, useContext, useState, type ReactNode } from "react";
import { useTranslations } from "use-intl";
import { Icon } from "./icon.tsx";

/** While true, no dialog shows: one that is open is put away as it is, and shows again once this is over. */
export const DialogsPaused = createContext(false);

/** A dialog that had opened before it must wait is put away as it is; one that would open meanwhile is not there yet. */
function usePausableDialog(isOpen: boolean): { mustWait: boolean; isKept: boolean } {
  const mustWait = useContext(DialogsPaused);
  const [hasShown, setHasShown] = useState(false);
  const shows = mustWait ? hasShown && isOpen : isOpen;
  if (shows !== hasShown) setHasShown(shows);
  return { mustWait, isKept: shows };
}

interface SheetProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** Above the title, such as a small picture. */
  picture?: ReactNode;
  /** Without it only the actions inside close the sheet, and Esc. */
  closeButton?: boolean;
  /** Where the focus goes afterwards, if not to where it came from. */
  focusAfter?: () => HTMLElement | null;
  children: ReactNode;
}

/**
 * A sheet from the bottom on a phone, a centred dialog on a desktop. Focus moves in and stays in, Esc closes, focus
 * returns, and the page behind does not scroll.
 */
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
  const { mustWait, isKept } = usePausableDialog(isOpen);
  return (
    <Base.Root open={isOpen && !mustWait} onOpenChange={(open) => !open && onClose()}>
      <Base.Portal keepMounted={isKept}>
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

/** A layer over the whole page (crop, slideshow, the matched notice), with the manners of a dialog. */
export function Overlay({ isOpen, onClose, className, label, children }: OverlayProps) {
  const { mustWait, isKept } = usePausableDialog(isOpen);
  return (
    <Base.Root open={isOpen && !mustWait} onOpenChange={(open) => !open && onClose()}>
      <Base.Portal keepMounted={isKept}>
        <Base.Popup className={className} aria-label={label}>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
