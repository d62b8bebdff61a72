import { serverNow } from "../../lib/dates-and-units/server-clock.ts";
import { useEffect, useState, useSyncExternalStore } from "react";
import {
  type ActionFunctionArgs,
  Link,
  type LoaderFunctionArgs,
  useLoaderData,
  useNavigate,
  useOutletContext,
  useRevalidator,
} from "react-router";
import { useTranslations } from "use-intl";
import { cut } from "@alcove/contract/text-rules";
import { getUser, unmatch } from "@alcove/contract/discovery";
import {
  getReading,
  type ListedDm,
  muteConversation,
  saveConversation,
  showTyping,
} from "@alcove/contract/messaging";
import type { PublicUser } from "@alcove/contract/users";
import { blockUser } from "@alcove/contract/safety";
import { Chat } from "../../features/chat/chat.tsx";
import type { Conversation, ConversationDeps } from "../../features/chat/conversation/conversation.ts";
import { conversations } from "../../features/chat/conversation/conversations.ts";
import type { ConversationState } from "../../features/chat/conversation/conversation.ts";
import type { ChatItem } from "../../features/chat/conversation/message-history.ts";
import { changeDraft, draftOf } from "../../features/chat/drafts.ts";
import { loadOutbox, storeOutbox } from "../../features/chat/stored-outbox.ts";
import { createTransport } from "../../features/chat/conversation/transport.ts";
import { isResync } from "../../realtime/events.ts";
import { announceMessage, isConnectionOpen, onRealtimeEvent, reconnect } from "../../realtime/realtime.ts";
import { Notes } from "../../features/profile/notes.tsx";
import { useFactsLine } from "../../features/profile/use-facts-line.ts";
import { BlockSheet } from "../../features/safety/block-sheet.tsx";
import { ReportSheet } from "../../features/safety/report-sheet.tsx";
import { submitReport } from "../../features/safety/submit-report.ts";
import { api } from "../../lib/api/api.ts";
import { ApiError, OfflineError } from "../../lib/api/errors.ts";
import { banner } from "../../lib/page/banner.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { momentText } from "../../lib/dates-and-units/dates.ts";
import { lock } from "../../lib/session/lock.ts";
import { currentLoginId } from "../../lib/session/session.ts";
import { onDemand } from "../../ui/on-demand/on-demand.tsx";
import { useAction } from "../../lib/forms/use-action.ts";
import { buttonClass } from "../../ui/button.tsx";
import { MoreMenu, type MenuEntry } from "../../ui/menu.tsx";
import { Empty } from "../../ui/empty.tsx";
import { GoodbyeSheet } from "./goodbye-sheet.tsx";
import type { MessageListData } from "./messages.tsx";
import { classNames } from "../../ui/class-names.ts";

const LanguageChooser = onDemand(
  async () => (await import("../../layout/shell/language-chooser.tsx")).LanguageChooser,
);

let loadedFor: string | null = null;

export async function loader({ params }: LoaderFunctionArgs) {
  loadedFor = currentLoginId();
  try {
    const [{ user }, showsTyping] = await Promise.all([
      api(getUser, { userId: params.userId! }),
      loadShowsTyping(),
    ]);
    return { friend: user, showsTyping, errorText: null };
  } catch (error) {
    if (error instanceof ApiError && error.status === 404)
      return { friend: null, showsTyping: false, errorText: error.message };
    throw error;
  }
}

/** Returns false in doubt: the chat works without. */
const loadShowsTyping = async () =>
  api(getReading, {}).then(
    ({ shows_typing }) => shows_typing,
    () => false,
  );

export async function action({ request }: ActionFunctionArgs) {
  return submitReport(await request.formData());
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

export default function ConversationScreen() {
  const loaderData = useLoaderData<typeof loader>();
  const { friend, showsTyping, errorText } = loaderData;
  if (!friend) return <NoFriend text={errorText} />;
  return <OpenChat key={friend.user_id} friend={friend} showsTyping={showsTyping} />;
}

function NoFriend({ text }: { text: string }) {
  const t = useTranslations("messages");
  const tChat = useTranslations("chat");
  const toList = (
    <Link
      className={classNames(buttonClass({ kind: "quiet", small: true }), "only-narrow")}
      to={`${useLanguagePath()}/dm`}
    >
      {tChat("toList")}
    </Link>
  );
  return (
    <>
      <h1 className="vh">{t("title")}</h1>
      <Empty fills title={text} action={toList} />
    </>
  );
}

function OpenChat({ friend, showsTyping }: { friend: PublicUser; showsTyping: boolean }) {
  const tSafety = useTranslations("safety");
  const base = useLanguagePath();
  const navigate = useNavigate();
  const [isBlocking, setBlocking] = useState(false);
  const [isParting, setParting] = useState(false);
  const [report, setReport] = useState<{ messageId: string | null } | null>(null);
  const [conversation] = useState(() => conversations.open(friend.user_id, deps));

  useEffect(() => {
    void conversation.catchUp();
    return onRealtimeEvent((event) => {
      if (isResync(event)) void conversation.catchUp({ isQuiet: event.kind === "missing" });
    });
  }, [conversation]);

  const list = useOutletContext<MessageListData>();
  const matchedOn = list.matches.find(({ user_id }) => user_id === friend.user_id)?.matched_on ?? null;
  const choices = pictureChoices(list, friend.user_id);
  const messages = report ? reportableMessages(conversation.getState(), report.messageId, tSafety) : [];

  async function handleBlock() {
    await api(blockUser, { userId: friend.user_id });
    await navigate(`${base}/dm`, { replace: true });
  }
  async function handleEnd(goodbye: number | null) {
    await api(unmatch, { userId: friend.user_id, goodbye });
    await navigate(`${base}/dm`, { replace: true });
  }

  return (
    <>
      <Chat
        friend={friend}
        conversation={conversation}
        matchedOn={matchedOn}
        facts={useFactsLine(friend)}
        showsTyping={showsTyping}
        wantsPictures={choices?.pictures ?? true}
        Notes={Notes}
        menu={
          <ConversationMenu
            friend={friend}
            conversation={conversation}
            acceptsPictures={choices?.accepts_pictures ?? true}
            onGoodbye={() => setParting(true)}
            onReport={() => setReport({ messageId: null })}
            onBlock={() => setBlocking(true)}
          />
        }
        onReport={(messageId) => setReport({ messageId })}
      />
      <GoodbyeSheet
        isOpen={isParting}
        name={friend.username}
        onEnd={handleEnd}
        onClose={() => setParting(false)}
      />
      <BlockSheet
        isOpen={isBlocking}
        name={friend.username}
        isMatch
        onBlock={handleBlock}
        onClose={() => setBlocking(false)}
      />
      <ReportSheet
        isOpen={report !== null}
        about={{ userId: friend.user_id }}
        name={friend.username}
        isMatch
        messages={messages}
        chosenMessage={report?.messageId ?? null}
        onBlock={handleBlock}
        onClose={() => setReport(null)}
      />
    </>
  );
}

interface ConversationMenuProps {
  friend: PublicUser;
  conversation: Conversation;
  /** Whether the member wants the friend's pictures. */
  acceptsPictures: boolean;
  onGoodbye: () => void;
  onReport: () => void;
  onBlock: () => void;
}

/** Null for a conversation that the list does not have yet. */
function pictureChoices({ matches, dms }: MessageListData, friendId: string) {
  const isAbout = (dm: ListedDm) => [dm.sender.user_id, dm.receiver.user_id].includes(friendId);
  return dms.find(isAbout) ?? matches.find(({ user_id }) => user_id === friendId) ?? null;
}

/** A lost conversation can still be reported. */
function ConversationMenu({
  friend,
  conversation,
  acceptsPictures,
  onGoodbye,
  onReport,
  onBlock,
}: ConversationMenuProps) {
  const t = useTranslations("chat");
  const tSafety = useTranslations("safety");
  const base = useLanguagePath();
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const [isChoosing, setChoosing] = useState(false);
  const isMuted = useOutletContext<MessageListData>().muted.includes(friend.user_id);
  const isLost = useSyncExternalStore(
    conversation.subscribe,
    () => conversation.getState().status === "lost",
    () => false,
  );
  const mute = useAction(async () => {
    await api(muteConversation, { friendId: friend.user_id, muted: !isMuted });
    await revalidate();
    banner.notify(isMuted ? "chat.unmuted" : "chat.muted");
  });
  const pictures = useAction(async () => {
    await api(saveConversation, { friendId: friend.user_id, pictures: !acceptsPictures });
    await revalidate();
    banner.notify(acceptsPictures ? "chat.picturesOff" : "chat.picturesOn");
  });
  const profile = `${base}/home/${encodeURIComponent(friend.user_id)}`;
  const report: MenuEntry = { icon: "flag", label: t("report"), onChoose: onReport };
  const threat: MenuEntry = {
    icon: "alert",
    label: tSafety("threat"),
    hint: tSafety("threatHint"),
    onChoose: () => void navigate(`${base}/threat?userId=${encodeURIComponent(friend.user_id)}`),
  };
  const entries: readonly MenuEntry[] = isLost
    ? [report, threat]
    : [
        { icon: "user", label: t("viewProfile"), onChoose: () => void navigate(profile) },
        isMuted
          ? { icon: "bell", label: t("unmute"), onChoose: mute.start }
          : { icon: "mute", label: t("mute"), hint: t("muteHint"), onChoose: mute.start },
        {
          icon: "image",
          label: t(acceptsPictures ? "noPictures" : "allowPictures"),
          ...(acceptsPictures && { hint: t("noPicturesHint") }),
          onChoose: pictures.start,
        },
        { icon: "globe", label: t("language"), isNarrow: true, onChoose: () => setChoosing(true) },
        {
          icon: "goodbye",
          label: t("goodbye"),
          hint: t("goodbyeHint"),
          startsGroup: true,
          onChoose: onGoodbye,
        },
        report,
        threat,
        { icon: "block", label: t("block"), hint: t("blockHint"), isDanger: true, onChoose: onBlock },
      ];
  return (
    <>
      <MoreMenu label={t("more")} isPlain entries={entries} />
      <LanguageChooser isOpen={isChoosing} onClose={() => setChoosing(false)} />
    </>
  );
}

const REPORTABLE_MAX = 50;
const EXCERPT_LENGTH = 60;

function reportableMessages(
  { items, lostMessages }: ConversationState,
  chosenId: string | null,
  t: ReturnType<typeof useTranslations<"safety">>,
): [id: string, excerpt: string][] {
  if (lostMessages.length > 0) {
    const newest = [...lostMessages].reverse().slice(0, REPORTABLE_MAX);
    return newest.map(({ id, at }) => [id!, t("messageOf", { time: momentText(at) })]);
  }
  const fromFriend = items.filter(({ isOwn, id }) => !isOwn && id !== null).reverse();
  return fromFriend
    .filter(({ id }, index) => index < REPORTABLE_MAX || id === chosenId)
    .map((item) => [item.id!, excerptOf(item, t)]);
}

function excerptOf(
  { text, voice, isTakenBack, at }: ChatItem,
  t: ReturnType<typeof useTranslations<"safety">>,
): string {
  if (isTakenBack) return t("takenBackOf", { time: momentText(at) });
  if (text === null) return t(voice ? "voiceOf" : "pictureOf", { time: momentText(at) });
  return cut(text, EXCERPT_LENGTH);
}

/** The server's message helps: an invalid text, a file that is no image, too many links, too many requests. */
const STATUSES_WITH_REASON = new Set([400, 413, 415, 422, 429]);

const deps: ConversationDeps = {
  api,
  showTyping: (friendId) => api(showTyping, { friendId }),
  transport: createTransport({
    call: api,
    announce: announceMessage,
    isLocked: () => lock.getState().isLocked,
  }),
  now: () => new Date(serverNow()),
  setTimer(act, ms) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
  newId: () => crypto.randomUUID(),
  createPreview(file) {
    const url = URL.createObjectURL(file);
    return { url, revoke: () => URL.revokeObjectURL(url) };
  },
  loadOutbox,
  storeOutbox,
  returnText(friendId, text) {
    const { text: draft } = draftOf(friendId);
    changeDraft(friendId, { text: draft === "" ? text : `${text}\n${draft}` });
  },
  reconnect,
  isConnectionOpen,
  showError(error) {
    if (error instanceof ApiError && STATUSES_WITH_REASON.has(error.status)) banner.alertText(error.message);
    else banner.alert(error instanceof OfflineError ? "errorScreen.offline" : "chat.failed");
  },
};
