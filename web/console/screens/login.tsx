import { useState } from "react";
import { useLocation } from "react-router";
import { finishLogin, startLogin } from "@alcove/contract/console";
import { Button } from "../../app/ui/button.tsx";
import { api, attempt } from "../api.ts";
import { Heading, LanguageLinks } from "../frame.tsx";
import { Note } from "../parts.tsx";
import { canUsePasskeys, provePasskey } from "../../app/ui/webauthn.ts";
import { useLanguage, useTexts } from "../texts/use-texts.ts";
import { classNames } from "../../app/ui/class-names.ts";
import consoleStyles from "../console.module.css";

export function LoginScreen() {
  const t = useTexts();
  const language = useLanguage();
  const { search } = useLocation();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const logIn = async () => {
    setBusy(true);
    setFailure(null);
    const { problem } = await attempt(async () => {
      const { options } = await api(startLogin, {});
      const response = await provePasskey(options);
      if (!response) return setFailure(t("logInCancelled"));
      await api(finishLogin, { response });
      // A full load begins with an empty memory.
      location.assign(`/${language}/cases`);
    });
    if (problem) setFailure(problem.message || t("offline"));
    setBusy(false);
  };
  return (
    <main className={classNames(consoleStyles.page, consoleStyles.narrow, "stack")}>
      <Heading>{t("title")}</Heading>
      {search === "?ended" && <Note>{t("ended")}</Note>}
      {search === "?enrolled" && <Note>{t("enrolled")}</Note>}
      {failure && <Note kind="danger">{failure}</Note>}
      {canUsePasskeys() ? (
        <>
          <p className="muted">{t("logInLead")}</p>
          <Button block busy={isBusy} onClick={() => void logIn()}>
            {t("logIn")}
          </Button>
        </>
      ) : (
        <Note kind="danger">{t("noPasskeys")}</Note>
      )}
      <LanguageLinks />
    </main>
  );
}
