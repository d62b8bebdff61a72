import { useEffect, useState } from "react";
import { Link, useNavigate } from "react-router";
import { useTranslations } from "use-intl";
import { getUser } from "@alcove/contract/discovery";
import type { Party } from "@alcove/contract/users";
import { routes } from "@alcove/contract/routes";
import { Chat } from "../../features/chat/chat.tsx";
import type { ConversationDeps } from "../../features/chat/conversation.ts";
import { conversations } from "../../features/chat/conversations.ts";
import type { ChatItem } from "../../features/chat/message-history.ts";
import { createTransport } from "../../features/chat/transport.ts";
import { announceMessage, apiOverSocket, onRealtimeEvent, reconnect } from "../../realtime/realtime.ts";
import { BlockSheet } from "../../features/safety/block-sheet.tsx";
import { ReportSheet } from "../../features/safety/report-sheet.tsx";
import { api } from "../../lib/api.ts";
import { ApiError } from "../../lib/errors.ts";
import { banner } from "../../lib/banner.ts";
import { useLanguagePath } from "../../lib/use-language-path.ts";
import { momentText } from "../../lib/dates.ts";
import { currentLoginId } from "../../lib/session/session.ts";
import { buttonClass, IconButton } from "../../ui/button.tsx";
import { Empty } from "../../ui/empty.tsx";
import type { Route } from "./+types/conversation";

let loadedFor: string | null = null;

export async function clientLoader({ params }: Route.ClientLoaderArgs) {
  loadedFor = currentLoginId();
  try {
    const { user } = await api(getUser, { userId: params.userId });
    return { friend: user, errorText: null };
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return { friend: null, errorText: error.message };
    throw error;
  }
}

/** The friend changes only with the URL and the login. */
export function shouldRevalidate({
  currentParams,
  nextParams,
}: {
  currentParams: { userId?: string };
  nextParams: { userId?: string };
}) {
  return currentParams.userId !== nextParams.userId || loadedFor !== currentLoginId();
}

export default function ConversationScreen({ loaderData: { friend, errorText } }: Route.ComponentProps) {
  if (!friend) return <NoFriend text={errorText} />;
  return <OpenChat key={friend.user_id} friend={friend} />;
}

function NoFriend({ text }: { text: string }) {
  const t = useTranslations("messages");
  const tChat = useTranslations("chat");
  const toList = (
    <Link
      className={`${buttonClass({ kind: "quiet", small: true })} only-narrow`}
      to={`${useLanguagePath()}/dm`}
    >
      {tChat("toList")}
    </Link>
  );
  return (
    <>
      <h1 className="vh">{t("title")}</h1>
      <Empty title={text} action={toList} />
    </>
  );
}

function OpenChat({ friend }: { friend: Party }) {
  const t = useTranslations("chat");
  const tSafety = useTranslations("safety");
  const base = useLanguagePath();
  const navigate = useNavigate();
  const [isBlocking, setBlocking] = useState(false);
  const [report, setReport] = useState<{ messageId: string | null } | null>(null);
  const [conversation] = useState(() => conversations.open(friend.user_id, deps));

  useEffect(() => {
    void conversation.catchUp();
    return onRealtimeEvent((event) => event.kind === "connected" && void conversation.catchUp());
  }, [conversation]);

  const messages = report ? reportableMessages(conversation.getState().items, report.messageId, tSafety) : [];

  async function handleBlock() {
    await api(routes.blockUser, { userId: friend.user_id });
    await navigate(`${base}/dm`, { replace: true });
  }

  return (
    <>
      <Chat
        friend={friend}
        conversation={conversation}
        tools={
          <>
            <IconButton icon="flag" label={t("report")} onClick={() => setReport({ messageId: null })} />
            <IconButton icon="block" label={t("block")} onClick={() => setBlocking(true)} />
          </>
        }
        onReport={(messageId) => setReport({ messageId })}
      />
      <BlockSheet
        isOpen={isBlocking}
        name={friend.username}
        onBlock={handleBlock}
        onClose={() => setBlocking(false)}
      />
      <ReportSheet
        isOpen={report !== null}
        userId={friend.user_id}
        name={friend.username}
        messages={messages}
        chosenMessage={report?.messageId ?? null}
        onReport={(report) => api(routes.reportUser, report)}
        onBlock={handleBlock}
        onClose={() => setReport(null)}
      />
    </>
  );
}

const REPORTABLE_MAX = 50;
const EXCERPT_LENGTH = 60;

function reportableMessages(
  items: readonly ChatItem[],
  chosenId: string | null,
  t: ReturnType<typeof useTranslations<"safety">>,
): [id: string, excerpt: string][] {
  const fromFriend = items.filter(({ isOwn, id }) => !isOwn && id !== null).toReversed();
  return fromFriend
    .filter(({ id }, index) => index < REPORTABLE_MAX || id === chosenId)
    .map(({ id, text, at }) => [
      id!,
      text === null
        ? t("pictureOf", { time: momentText(at) })
        : Array.from(text).slice(0, EXCERPT_LENGTH).join(""),
    ]);
}

/** The server's message helps: an invalid text, a file that is no image, too many links, too many requests. */
const STATUSES_WITH_REASON = new Set([400, 413, 415, 422, 429]);

const deps: ConversationDeps = {
  api: apiOverSocket,
  transport: createTransport(apiOverSocket, announceMessage),
  now: () => new Date(),
  newId: () => crypto.randomUUID(),
  createPreview(file) {
    const url = URL.createObjectURL(file);
    return { url, revoke: () => URL.revokeObjectURL(url) };
  },
  reconnect,
  showError(error) {
    if (error instanceof ApiError && STATUSES_WITH_REASON.has(error.status)) banner.alertText(error.message);
    else banner.alert("chat.failed");
  },
};
