import { useEffect, useState } from "react";
import { type ActionFunctionArgs, Outlet, useLoaderData, useParams, useRevalidator } from "react-router";
import { useTranslations } from "use-intl";
import type { EndedMatch } from "@alcove/contract/messaging";
import { getOwnUser } from "@alcove/contract/accounts";
import { onRealtimeEvent } from "../../realtime/realtime.ts";
import { ReportSheet } from "../../features/safety/report-sheet.tsx";
import { submitReport } from "../../features/safety/submit-report.ts";
import { MessageList, type MessageListProps } from "./message-list.tsx";
import { Shell } from "../../layout/shell/shell.tsx";
import { api } from "../../lib/api/api.ts";
import { OfflineError, ApiError } from "../../lib/api/errors.ts";
import { currentLoginId } from "../../lib/session/session.ts";
import { unread, useUnread } from "../../realtime/unread.ts";
import { NothingSelected } from "../../ui/empty.tsx";
import { classNames } from "../../ui/class-names.ts";
import splitStyles from "../../ui/styles/split.module.css";
import styles from "./messages.module.css";

/** Also for the open conversation. */
export type MessageListData = Pick<MessageListProps, "ownId" | "matches" | "dms" | "muted" | "ended">;

const OTHERS: ReadonlySet<string> = new Set(["typing", "reaction", "changed", "device"]);

let shown: { list: MessageListData; loginId: string | null } | null = null;

export async function loader(): Promise<MessageListData> {
  const loginId = currentLoginId();
  try {
    const [{ matches, dms, muted, ended }, { user }] = await Promise.all([
      unread.fetchList(),
      api(getOwnUser, {}),
    ]);
    const list = { matches, dms, muted, ended, ownId: user.user_id };
    shown = { list, loginId };
    return list;
  } catch (error) {
    // A failed reload must not replace the open conversation by an error.
    const isTemporary = error instanceof OfflineError || (error instanceof ApiError && error.status >= 500);
    if (shown?.loginId === loginId && isTemporary) return shown.list;
    throw error;
  }
}

export async function action({ request }: ActionFunctionArgs) {
  return submitReport(await request.formData());
}

export default function Messages() {
  const loaderData = useLoaderData<typeof loader>();
  const t = useTranslations("messages");
  const { userId } = useParams();
  const { revalidate } = useRevalidator();
  // Any other event can change the list, and its response is short. Some load every screen.
  useEffect(() => onRealtimeEvent(({ kind }) => !OTHERS.has(kind) && void revalidate()), [revalidate]);
  useEffect(() => () => void (shown = null), []);

  const [reported, setReported] = useState<EndedMatch | null>(null);
  const isChat = userId !== undefined;
  const isEmpty = loaderData.matches.length === 0 && loaderData.dms.length === 0;
  return (
    <Shell hasMenu layout={isChat ? "chat" : "list"}>
      <div
        className={
          isChat
            ? classNames(splitStyles.split, splitStyles.showsDetail, styles.messages, styles.whole)
            : classNames(splitStyles.split, splitStyles.showsList, styles.messages)
        }
      >
        <div className={classNames(splitStyles.list, styles.list)}>
          {isChat ? (
            <p className={classNames("display", splitStyles.title)}>{t("title")}</p>
          ) : (
            <h1 className={splitStyles.title}>{t("title")}</h1>
          )}
          <MessageList {...loaderData} unread={useUnread()} onReport={setReported} />
        </div>
        <div
          className={
            isChat
              ? classNames(splitStyles.detail, styles.detail, styles.detailChat)
              : classNames(splitStyles.detail, styles.detail, styles.detailEmpty)
          }
        >
          <ReportSheet
            isOpen={reported !== null}
            about={{ endedId: reported?.id ?? "" }}
            name={null}
            isMatch
            onBlock={null}
            onClose={() => setReported(null)}
          />
          {isChat ? (
            <Outlet context={loaderData satisfies MessageListData} />
          ) : (
            <NothingSelected text={isEmpty ? undefined : t("chooseOne")} />
          )}
        </div>
      </div>
    </Shell>
  );
}
