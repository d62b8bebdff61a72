import { useRef } from "react";
import { useLoaderData, useRevalidator } from "react-router";
import { useTranslations } from "use-intl";
import { getBlocks, unblockUser } from "@alcove/contract/safety";
import type { Party } from "@alcove/contract/users";
import { api } from "../../lib/api/api.ts";
import { banner } from "../../lib/page/banner.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { Empty } from "../../ui/empty.tsx";
import { MemberRow } from "../../ui/people.tsx";
import screenHeadStyles from "../../ui/styles/screen-head.module.css";
import listStyles from "../../ui/styles/list.module.css";

export async function loader() {
  return api(getBlocks, {});
}

export default function BlocksScreen() {
  const { users } = useLoaderData<typeof loader>();
  const t = useTranslations("settings");
  const { revalidate } = useRevalidator();
  const heading = useRef<HTMLHeadingElement>(null);

  async function handleUnblocked() {
    await revalidate();
    heading.current?.focus(); // the button disappears with its row
  }

  return (
    <div className="stack">
      <div className={screenHeadStyles.head}>
        <h1 ref={heading} tabIndex={-1}>
          {t("blocks")}
        </h1>
      </div>
      <p className="muted">{t("blocksText")}</p>
      {users.length === 0 && <Empty title={t("noBlocks")} />}
      {users.length > 0 && (
        <ul className={listStyles.list}>
          {users.map((user) => (
            <Blocked key={user.user_id} user={user} onUnblocked={handleUnblocked} />
          ))}
        </ul>
      )}
    </div>
  );
}

function Blocked({ user, onUnblocked }: { user: Party; onUnblocked: () => Promise<void> }) {
  const t = useTranslations("settings");
  const unblock = useAction(async () => {
    await api(unblockUser, { userId: user.user_id });
    banner.notify("settings.unblocked");
    await onUnblocked();
  });
  return <MemberRow party={user} label={t("unblock")} action={unblock} />;
}
