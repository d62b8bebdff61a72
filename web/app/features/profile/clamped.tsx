import { useEffect, useRef, useState, type ReactNode, type RefObject } from "react";
import { useTranslations } from "use-intl";
import { classNames } from "../../ui/class-names.ts";
import styles from "./person.module.css";

/** Shows four lines, and the rest in place on request. */
export function Clamped({ children }: { children: ReactNode }) {
  const t = useTranslations("profile");
  const text = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const isCut = useIsCut(text, isOpen);
  return (
    <div className={classNames(styles.clamp, !isOpen && styles.closed)}>
      {/* A focused link may stand in the hidden part. */}
      <div ref={text} className={styles.text} onFocus={() => setOpen(true)}>
        {children}
      </div>
      {(isCut || isOpen) && (
        <button type="button" className={styles.more} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? t("readLess") : t("readMore")}
        </button>
      )}
    </div>
  );
}

function useIsCut(text: RefObject<HTMLDivElement | null>, isOpen: boolean): boolean {
  const [isCut, setCut] = useState(false);
  useEffect(() => {
    const element = text.current;
    if (!element || isOpen) return undefined;
    const measure = () => setCut(element.scrollHeight > element.clientHeight + 1);
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [text, isOpen]);
  return isCut;
}
