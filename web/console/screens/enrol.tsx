import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import type { ResponseOf } from "@alcove/contract";
import { finishEnrolment, startEnrolment } from "@alcove/contract/console";
import { Button } from "../../app/ui/button.tsx";
import { Spinner } from "../../app/ui/loading.tsx";
import { api, attempt, type Problem } from "../api.ts";
import { Heading, LanguageLinks } from "../frame.tsx";
import { Note } from "../parts.tsx";
import { createPasskey } from "../../app/ui/webauthn.ts";
import { useLanguage, useTexts } from "../texts/use-texts.ts";
import { classNames } from "../../app/ui/class-names.ts";
import consoleStyles from "../console.module.css";

export function EnrolScreen() {
  const t = useTexts();
  const language = useLanguage();
  const navigate = useNavigate();
  const token = useLocation().hash.slice(1);
  const [started, setStarted] = useState<ResponseOf<typeof startEnrolment> | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [failure, setFailure] = useState<"logInCancelled" | "hasPasskey" | null>(null);
  const [isBusy, setBusy] = useState(false);

  useEffect(() => {
    let isCurrent = true;
    const start = async () => {
      const outcome = await attempt(() => api(startEnrolment, { token: token || "-" }));
      if (!isCurrent) return;
      if (outcome.problem) setProblem(outcome.problem);
      else setStarted(outcome.value);
    };
    void start();
    return () => {
      isCurrent = false;
    };
  }, [token]);

  const register = async (options: Record<string, unknown>) => {
    setBusy(true);
    setFailure(null);
    const response = await createPasskey(options).catch((error: Error) => {
      setFailure(error.name === "InvalidStateError" ? "hasPasskey" : "logInCancelled");
      return null;
    });
    setBusy(false);
    if (!response) return;
    const outcome = await attempt(() => api(finishEnrolment, { token, response }));
    if (outcome.problem) setProblem(outcome.problem);
    else void navigate(`/${language}/login?enrolled`, { replace: true });
  };

  return (
    <main className={classNames(consoleStyles.page, consoleStyles.narrow, "stack")}>
      <Heading>{t("enrol")}</Heading>
      {problem && (
        <Note kind="danger">
          {problem.code === "not_found" ? t("linkOver") : problem.message || t("offline")}
        </Note>
      )}
      {failure && <Note kind="danger">{t(failure)}</Note>}
      {!problem && !started && <Spinner />}
      {!problem && started && (
        <>
          <p className="muted">{t("enrolLead", { name: started.name })}</p>
          <Button block busy={isBusy} onClick={() => void register(started.options)}>
            {t("enrol")}
          </Button>
        </>
      )}
      <LanguageLinks />
    </main>
  );
}
