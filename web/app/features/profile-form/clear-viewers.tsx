import { useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { hideClearIcon } from "@alcove/contract/discovery";
import type { Party } from "@alcove/contract/users";
import { api } from "../../lib/api.ts";
import { tellFailure } from "../../lib/failures.ts";
import { Button } from "../../ui/button.tsx";
import { Avatar } from "../../ui/people.tsx";

/** Who sees the own clear picture, each with a way to end that. */
export function ClearViewers({ users }: { users: readonly Party[] }) {
  const t = useTranslations("profileForm");
  const heading = useRef<HTMLHeadingElement>(null);
  const [shown, setShown] = useState(users);

  async function handleStop(userId: string) {
    try {
      await api(hideClearIcon, { userId });
      setShown((before) => before.filter(({ user_id }) => user_id !== userId));
      heading.current?.focus(); // the button has gone with its row
    } catch (error) {
      tellFailure(error);
    }
  }

  return (
    <section className="stack">
      <h2 ref={heading} tabIndex={-1}>
        {t("clearViewers")}
      </h2>
      {shown.length === 0 && <p className="hint">{t("noClearViewers")}</p>}
      {shown.length > 0 && (
        <ul className="list">
          {shown.map(({ user_id, username, icon }) => (
            <li key={user_id} className="list-row">
              <Avatar src={icon} />
              <span id={`viewer-${user_id}`}>
                {username}
                <span className="hint">{user_id}</span>
              </span>
              <Button
                kind="quiet"
                small
                aria-describedby={`viewer-${user_id}`}
                onClick={() => void handleStop(user_id)}
              >
                {t("stopShowing")}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
