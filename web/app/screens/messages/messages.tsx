import { useEffect } from "react";
import { Outlet, useParams, useRevalidator } from "react-router";
import { useTranslations } from "use-intl";
import { getOwnUser } from "@alcove/contract/accounts";
import { onRealtimeEvent } from "../../realtime/realtime.ts";
import { MessageList, type MessageListProps } from "./message-list.tsx";
import { Shell } from "../../layout/shell/shell.tsx";
import { api } from "../../lib/api.ts";
import { OfflineError, ApiError } from "../../lib/errors.ts";
import { currentLoginId } from "../../lib/session/session.ts";
import { unread, useUnread } from "../../lib/unread.ts";
import { NothingSelected } from "../../ui/empty.tsx";
import type { Route } from "./+types/messages";

type Shown = Pick<MessageListProps, "ownId" | "matches" | "dms">;

/** The list on screen, for as long as it is, and of which login it is. */
let shown: { list: Shown; of: string | null } | null = null;

/** The list of conversations. It stays beside the chat where there is room. */
export async function clientLoader(): Promise<Shown> {
  const login = currentLoginId();
  try {
    const [{ matches, dms }, { user }] = await Promise.all([unread.fetchList(), api(getOwnUser, {})]);
    const list = { matches, dms, ownId: user.user_id };
    shown = { list, of: login };
    return list;
  } catch (error) {
    // A list that cannot be renewed now must not take the open conversation off the screen.
    const willPass = error instanceof OfflineError || (error instanceof ApiError && error.status >= 500);
    if (shown?.of === login && willPass) return shown.list;
    throw error;
  }
}

export default function Messages({ loaderData }: Route.ComponentProps) {
  const t = useTranslations("messages");
  const { userId } = useParams();
  const { revalidate } = useRevalidator();
  // Whatever happens, the list asks again: it is one short answer.
  useEffect(() => onRealtimeEvent(() => void revalidate()), [revalidate]);
  useEffect(() => () => void (shown = null), []);

  const isChat = userId !== undefined;
  const isThereNone = loaderData.matches.length === 0 && loaderData.dms.length === 0;
  return (
    <Shell hasMenu pageClass={isChat ? "page-chat" : undefined}>
      <div
        className={isChat ? "split split--chat split--detail split--whole" : "split split--chat split--list"}
      >
        <div className="split__list">
          {isChat ? (
            <p className="display setting__title">{t("title")}</p>
          ) : (
            <h1 className="setting__title">{t("title")}</h1>
          )}
          <MessageList {...loaderData} unread={useUnread()} />
        </div>
        <div className={isChat ? "split__detail chat" : "split__detail split__detail--empty"}>
          {isChat ? <Outlet /> : <NothingSelected text={isThereNone ? undefined : t("chooseOne")} />}
        </div>
      </div>
    </Shell>
  );
}
