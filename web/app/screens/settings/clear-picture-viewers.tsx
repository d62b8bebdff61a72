import { useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { hideClearIcon } from "@alcove/contract/discovery";
import type { Party } from "@alcove/contract/users";
import { api } from "../../lib/api/api.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { MemberRow } from "../../ui/people.tsx";
import listStyles from "../../ui/styles/list.module.css";

/** The matches that see the member's clear picture. */
export function ClearPictureViewers({ users }: { users: readonly Party[] }) {
  const t = useTranslations("profileForm");
  const heading = useRef<HTMLHeadingElement>(null);
  const [shown, setShown] = useState(users);

  function handleStopped(userId: string) {
    setShown((before) => before.filter(({ user_id }) => user_id !== userId));
    heading.current?.focus(); // the button disappears with its row
  }

  return (
    <section className="stack">
      <h2 ref={heading} tabIndex={-1}>
        {t("clearViewers")}
      </h2>
      {shown.length === 0 && <p className="hint">{t("noClearViewers")}</p>}
      {shown.length > 0 && (
        <ul className={listStyles.list}>
          {shown.map((viewer) => (
            <Viewer key={viewer.user_id} viewer={viewer} onStopped={() => handleStopped(viewer.user_id)} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Viewer({ viewer, onStopped }: { viewer: Party; onStopped: () => void }) {
  const t = useTranslations("profileForm");
  const stop = useAction(async () => {
    await api(hideClearIcon, { userId: viewer.user_id });
    onStopped();
  });
  return <MemberRow party={viewer} label={t("stopShowing")} action={stop} />;
}
