import { Link } from "react-router";
import { useTranslations } from "use-intl";
import { saveVisibility } from "@alcove/contract/profiles";
import { api } from "../../lib/api/api.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { State } from "../../ui/state.tsx";
import stateStyles from "../../ui/state.module.css";

interface PausedProps {
  /** The day when the pause ends, `YYYY-MM-DD`; null until the member ends it. */
  until: string | null;
  onEnd: () => void;
}

/** The member is hidden, and so there are no cards. */
export function Paused({ until, onEnd }: PausedProps) {
  const t = useTranslations("visibility");
  const end = useAction(async () => {
    await api(saveVisibility, { paused: false });
    onEnd();
  });
  return (
    <State title={t("pausedTitle")} light={0}>
      <p>{until ? t("pausedUntil", { day: until.replaceAll("-", "/") }) : t("pausedText")}</p>
      <div className={stateStyles.actions}>
        <Button busy={end.isBusy} onClick={end.start}>
          {t("endPause")}
        </Button>
        <Link className={buttonClass({ kind: "ghost" })} to={`${useLanguagePath()}/setting/visibility`}>
          {t("openSetting")}
        </Link>
      </div>
    </State>
  );
}
