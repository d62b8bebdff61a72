import { useEffect, useState } from "react";
import { useTranslations } from "use-intl";

const WAIT_MS = 6_000;

/** Shows where the browser's question can be, after some seconds without a response. Some browsers never respond. */
export function NoAnswer({ isWaiting }: { isWaiting: boolean }) {
  return (
    <p className="hint" role="status">
      {isWaiting && <Late />}
    </p>
  );
}

function Late() {
  const t = useTranslations("location");
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), WAIT_MS);
    return () => clearTimeout(timer);
  }, []);
  return isLate && t("noAnswer");
}
