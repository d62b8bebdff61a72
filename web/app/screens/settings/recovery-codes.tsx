import { useEffect } from "react";
import { useTranslations } from "use-intl";
import { device } from "../../device/browser.ts";
import { banner } from "../../lib/page/banner.ts";
import { Button } from "../../ui/button.tsx";
import { Sheet } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import dialogStyles from "../../ui/dialog.module.css";
import noteStyles from "../../ui/styles/note.module.css";
import styles from "./passkeys.module.css";

interface RecoveryCodesProps {
  codes: readonly string[] | null;
  onClose: () => void;
  focusAfter: () => HTMLElement | null;
}

export function RecoveryCodes({ codes, onClose, focusAfter }: RecoveryCodesProps) {
  const t = useTranslations("passkeys");
  return (
    <Sheet isOpen={codes !== null} onClose={onClose} title={t("codesShown")} focusAfter={focusAfter}>
      {codes && <ShownCodes codes={codes} onClose={onClose} />}
    </Sheet>
  );
}

/** A printed page has the codes only, and no word about their use. */
function ShownCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const t = useTranslations("passkeys");
  useEffect(() => {
    const { dataset } = document.documentElement;
    dataset["printed"] = "codes";
    return () => {
      delete dataset["printed"];
    };
  }, []);

  async function handleCopy() {
    try {
      await device.copy(codes.join("\n"));
      banner.notify("passkeys.copied");
    } catch {
      banner.alert("passkeys.notCopied");
    }
  }

  return (
    <>
      <div className={noteStyles.note}>
        <Icon name="info" />
        <p>{t("codesOnce")}</p>
      </div>
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code translate="no">{code}</code>
          </li>
        ))}
      </ul>
      <div className={dialogStyles.actions}>
        {!device.isNative() && (
          <Button kind="quiet" onClick={() => print()}>
            {t("print")}
          </Button>
        )}
        <Button kind="quiet" onClick={() => void handleCopy()}>
          <Icon name="copy" small />
          {t("copy")}
        </Button>
        <Button onClick={onClose}>{t("codesDone")}</Button>
      </div>
    </>
  );
}
