import { useEffect, useState } from "react";
import { Link, useNavigate } from "react-router";
import { useTranslations } from "use-intl";
import { getUser } from "@alcove/contract/discovery";
import { blockUser, reportUser } from "@alcove/contract/safety";
import type { Party } from "@alcove/contract/users";
import { Chat } from "../../features/chat/chat.tsx";
import type { ChatItem, ConversationDeps } from "../../features/chat/conversation.ts";
import { conversations } from "../../features/chat/conversations.ts";
import { announceMessage, apiOverSocket, onRealtimeEvent, reconnect } from "../../realtime/connection.ts";
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

/** Of which login the friend was asked for. */
let loadedFor: string | null = null;

/** The friend; null when there is nobody to write to. */
export async function clientLoader({ params }: Route.ClientLoaderArgs) {
  loadedFor = currentLoginId();
  try {
    return { friend: (await api(getUser, { userId: params.userId })).user, missing: null };
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return { friend: null, missing: error.message };
    throw error;
  }
}

/** The friend stays the same while messages come and go, for one member. */
export function shouldRevalidate({
  currentParams,
  nextParams,
}: {
  currentParams: { userId?: string };
  nextParams: { userId?: string };
}) {
  return currentParams.userId !== nextParams.userId || loadedFor !== currentLoginId();
}

export default function DmChat({ loaderData: { friend, missing } }: Route.ComponentProps) {
  if (!friend) return <Nobody text={missing} />;
  return <OpenChat key={friend.user_id} friend={friend} />;
}

function Nobody({ text }: { text: string }) {
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
  const [conversation] = useState(() => conversations.open(friend.user_id, world));

  useEffect(() => {
    void conversation.catchUp();
    return onRealtimeEvent((event) => event.kind === "connected" && void conversation.catchUp());
  }, [conversation]);

  const messages = report ? reportable(conversation.getState().items, report.messageId, tSafety) : [];

  async function handleBlock() {
    await api(blockUser, { userId: friend.user_id });
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
            <IconButton icon="shield" label={t("block")} onClick={() => setBlocking(true)} />
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
        onReport={(sent) => api(reportUser, sent)}
        onBlock={handleBlock}
        onClose={() => setReport(null)}
      />
    </>
  );
}

const REPORTABLE = 50;
const SHOWN_OF_MESSAGE = 60;

/** The other side's messages that a report can be about, newest first, and among them the one that was pointed at. */
function reportable(
  items: readonly ChatItem[],
  chosen: string | null,
  t: ReturnType<typeof useTranslations<"safety">>,
): [id: string, words: string][] {
  const theirs = items.filter(({ isOwn, id }) => !isOwn && id !== null).toReversed();
  return theirs
    .filter(({ id }, position) => position < REPORTABLE || id === chosen)
    .map(({ id, text, at }) => [
      id!,
      text === null
        ? t("pictureOf", { time: momentText(at) })
        : Array.from(text).slice(0, SHOWN_OF_MESSAGE).join(""),
    ]);
}

/** What the member can do something about: a text that cannot be taken, a file that is no image, too many links, too fast. */
const WITH_REASON = new Set([400, 413, 415, 422, 429]);

const world: ConversationDeps = {
  api: apiOverSocket,
  now: () => new Date(),
  newId: () => crypto.randomUUID(),
  show(file) {
    const address = URL.createObjectURL(file);
    return { address, forget: () => URL.revokeObjectURL(address) };
  },
  announce: announceMessage,
  reconnect: reconnect,
  showError: (error) => {
    if (error instanceof ApiError && WITH_REASON.has(error.status)) banner.alertText(error.message);
    else banner.alert("chat.failed");
  },
};
