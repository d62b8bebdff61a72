import { useState } from "react";
import { useTranslations } from "use-intl";
import { GOODBYES } from "@alcove/contract/limits";
import { isolated } from "../../lib/texts/isolated.ts";
import { banner } from "../../lib/page/banner.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { Sheet } from "../../ui/dialog.tsx";
import { SheetButtons } from "../../ui/sheet-buttons.tsx";
import fieldStyles from "../../ui/forms/field.module.css";

interface GoodbyeSheetProps {
  isOpen: boolean;
  name: string;
  /** Ends the match and leaves the chat; null parts without a word. */
  onEnd: (goodbye: number | null) => Promise<void>;
  onClose: () => void;
  /** Receives the focus after closing. */
  focusAfter?: () => HTMLElement | null;
}

/** The number of each sentence. */
export const GOODBYE_NUMBERS = Array.from({ length: GOODBYES }, (_, i) => (i + 1) as 1 | 2 | 3 | 4);

export function GoodbyeSheet({ isOpen, name, onEnd, onClose, ...sheet }: GoodbyeSheetProps) {
  const t = useTranslations("messages");
  const [goodbye, setGoodbye] = useState<number | null>(1);
  const end = useAction(async () => {
    await onEnd(goodbye);
    banner.notify("messages.parted");
    onClose();
  });
  return (
    <Sheet {...sheet} isOpen={isOpen} onClose={onClose} title={t("goodbyeTitle", { name: isolated(name) })}>
      <p>{t("goodbyeText")}</p>
      <fieldset role="radiogroup">
        <legend className={fieldStyles.legend}>{t("goodbyeChoose")}</legend>
        {[...GOODBYE_NUMBERS, null].map((number) => (
          <label className={fieldStyles.check} key={number}>
            <input
              type="radio"
              name="goodbye"
              checked={goodbye === number}
              onChange={() => setGoodbye(number)}
            />
            <span>{number === null ? t("goodbyeSilent") : t(`goodbye_${number}`)}</span>
          </label>
        ))}
      </fieldset>
      <SheetButtons
        isBusy={end.isBusy}
        onConfirm={end.start}
        confirm={t("part")}
        cancel={t("goodbyeCancel")}
        onCancel={onClose}
        isDanger
      />
    </Sheet>
  );
}
