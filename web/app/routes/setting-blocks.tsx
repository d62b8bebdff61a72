import { useRef } from "react";
import { useRevalidator } from "react-router";
import { useTranslations } from "use-intl";
import { getBlocks, unblockUser } from "@alcove/contract/safety";
import { api } from "../lib/api.ts";
import { banner } from "../lib/banner.ts";
import { tellFailure } from "../lib/failures.ts";
import { Button } from "../ui/button.tsx";
import { Empty } from "../ui/empty.tsx";
import { Avatar } from "../ui/people.tsx";
import type { Route } from "./+types/setting-blocks";

export async function clientLoader() {
  return api(getBlocks, {});
}

/** The members one has blocked, each with a way back. */
export default function BlocksScreen({ loaderData: { users } }: Route.ComponentProps) {
  const t = useTranslations("settings");
  const { revalidate } = useRevalidator();
  const heading = useRef<HTMLHeadingElement>(null);

  async function handleUnblock(userId: string) {
    try {
      await api(unblockUser, { userId });
      banner.notify("settings.unblocked");
      await revalidate();
      heading.current?.focus(); // the button has gone with its row
    } catch (error) {
      tellFailure(error);
    }
  }

  return (
    <div className="stack">
      <div className="screen-head">
        <h1 ref={heading} tabIndex={-1}>
          {t("blocks")}
        </h1>
      </div>
      <p className="muted">{t("blocksText")}</p>
      {users.length === 0 && <Empty title={t("noBlocks")} />}
      {users.length > 0 && (
        <ul className="list">
          {users.map((user) => (
            <li key={user.user_id} className="list-row">
              <Avatar src={user.icon} />
              <span id={`blocked-${user.user_id}`}>
                {user.username}
                <span className="hint">{user.user_id}</span>
              </span>
              <Button
                kind="quiet"
                small
                aria-describedby={`blocked-${user.user_id}`}
                onClick={() => void handleUnblock(user.user_id)}
              >
                {t("unblock")}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
