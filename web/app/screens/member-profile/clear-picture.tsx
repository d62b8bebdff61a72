import { useState } from "react";
import { useTranslations } from "use-intl";
import { hideClearIcon, showClearIcon } from "@alcove/contract/discovery";
import { isolated } from "../../lib/texts/isolated.ts";
import { api } from "../../lib/api/api.ts";
import { banner } from "../../lib/page/banner.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { Sheet } from "../../ui/dialog.tsx";
import { SheetButtons } from "../../ui/sheet-buttons.tsx";

interface ClearPictureProps {
  userId: string;
  name: string;
  /** Whether this match can see it now. */
  isShown: boolean;
}

/** Shows the member's own clear picture to a match, or hides it again. */
export function ClearPicture({ userId, name, isShown: wasShown }: ClearPictureProps) {
  const t = useTranslations("profile");
  const [isShown, setShown] = useState(wasShown);
  const [isConfirming, setConfirming] = useState(false);
  const change = useAction(async () => {
    await api(isShown ? hideClearIcon : showClearIcon, { userId });
    setShown(!isShown);
    banner.notify(isShown ? "profile.clearHidden" : "profile.clearShown");
    setConfirming(false);
  });

  return (
    <>
      <Button kind="quiet" small onClick={() => setConfirming(true)}>
        {isShown ? t("hideClear") : t("showClear", { name: isolated(name) })}
      </Button>
      <Sheet
        isOpen={isConfirming}
        onClose={() => setConfirming(false)}
        title={t(isShown ? "hideClearTitle" : "showClearTitle", { name: isolated(name) })}
      >
        <p>{t(isShown ? "hideClearText" : "showClearText", { name: isolated(name) })}</p>
        <SheetButtons
          isBusy={change.isBusy}
          onConfirm={change.start}
          confirm={t(isShown ? "hideClearYes" : "showClearYes")}
          cancel={t("clearCancel")}
          onCancel={() => setConfirming(false)}
        />
      </Sheet>
    </>
  );
}
