import { useTranslations } from "use-intl";
import type { Attempt } from "../../lib/session/pin-lock.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const LONG_WAIT_MS = 2 * MINUTE_MS;

export function useAttemptText(): (attempt: Attempt) => string {
  const t = useTranslations("privacy");
  const wait = (waitMs: number) =>
    waitMs < LONG_WAIT_MS
      ? t("waitSeconds", { seconds: String(Math.ceil(waitMs / SECOND_MS)) })
      : t("waitMinutes", { minutes: String(Math.ceil(waitMs / MINUTE_MS)) });
  return (attempt) => {
    if (attempt.outcome === "wait") return wait(attempt.waitMs);
    if (attempt.outcome !== "wrong") return "";
    const wrong = t("pinWrong", { left: attempt.left });
    return attempt.waitMs === 0 ? wrong : `${wrong} ${wait(attempt.waitMs)}`;
  };
}
