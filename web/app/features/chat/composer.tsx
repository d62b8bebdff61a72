import {
  useRef,
  useState,
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  type RefObject,
  type SyntheticEvent,
} from "react";
import { useTranslations } from "use-intl";
import { cut, isVisible, lengthOf, tidy } from "@alcove/contract/text-rules";
import { IMAGE_MAX_BYTES, MESSAGE_MAX, QUOTE_MAX } from "@alcove/contract/limits";
import type { Quote } from "@alcove/contract/messaging";
import type { Party, PublicUser } from "@alcove/contract/users";
import { useObjectUrl } from "../../lib/forms/use-object-url.ts";
import { banner } from "../../lib/page/banner.ts";
import { fileIn } from "../../ui/drops.ts";
import { isolated } from "../../lib/texts/isolated.ts";
import { IconButton } from "../../ui/button.tsx";
import { isComposing } from "../../ui/forms/is-composing.ts";
import { Form } from "../../ui/forms/form.tsx";
import { PictureInput } from "../../ui/forms/picture-input.tsx";
import type { Conversation } from "./conversation/conversation.ts";
import type { ChatItem } from "./conversation/message-history.ts";
import type { VoiceFacts } from "./conversation/transport.ts";
import { changeDraft, useDraft } from "./drafts.ts";
import { QuoteText } from "./quote.tsx";
import { useVoiceNote } from "./voice/use-voice-note.tsx";
import { classNames } from "../../ui/class-names.ts";
import fieldStyles from "../../ui/forms/field.module.css";
import styles from "./composer.module.css";

interface ComposerProps {
  friend: Party & Pick<PublicUser, "posts">;
  items: readonly ChatItem[];
  area: RefObject<HTMLTextAreaElement | null>;
  /** Whether the friend wants pictures: without, text alone can be sent. */
  wantsPictures: boolean;
  onType?: () => void;
  onSend: Conversation["send"];
}

/** With a keyboard, Enter sends, but never while an input method composes a character. */
export function Composer({ friend, items, area, wantsPictures, onType, onSend }: ComposerProps) {
  const t = useTranslations("chat");
  const { text } = useDraft(friend.user_id);
  const reply = useReply(friend, items);
  const { image, attach, remove, handlePaste, dropProps } = useAttachment(area, wantsPictures);
  const message = tidy(text);
  const hasText = isVisible(message);
  const isEmpty = !hasText && !image;
  function submit(words: string | null, file: File | null, facts: VoiceFacts | null = null) {
    void onSend(words, file, reply?.quote ?? null, facts);
    changeDraft(friend.user_id, { replyId: null, noteId: null });
  }
  const voice = useVoiceNote({
    canRecord: isEmpty,
    onSend: (file, facts) => submit(null, file, facts),
  });
  const isRecording = Boolean(voice.panel);

  function send() {
    if (isEmpty) return;
    if (lengthOf(message) > MESSAGE_MAX) return banner.alert("fields.too_long");
    submit(hasText ? message : null, image);
    changeDraft(friend.user_id, { text: "" });
    remove();
  }
  function handleSubmit() {
    send();
    area.current?.focus();
  }
  function handleKey(event: KeyboardEvent<HTMLTextAreaElement>) {
    const isSend = event.key === "Enter" && !event.shiftKey && matchMedia("(pointer: fine)").matches;
    if (!isSend || isComposing(event.nativeEvent)) return;
    event.preventDefault();
    send();
  }

  return (
    // A plain name too, by which scripts that drive a chat find the field.
    <Form
      className={classNames("composer", styles.composer)}
      data-bottom-bar
      onSubmit={handleSubmit}
      {...dropProps}
    >
      {reply && (
        <ReplyQuote
          {...reply}
          onCancel={() => {
            changeDraft(friend.user_id, { replyId: null, noteId: null });
            area.current?.focus();
          }}
        />
      )}
      {image && <AttachedImage image={image} onRemove={remove} />}
      {voice.panel || <AttachButton friend={friend} wantsPictures={wantsPictures} onAttach={attach} />}
      <textarea
        hidden={isRecording}
        ref={area}
        className={classNames(fieldStyles.input, styles.text)}
        dir="auto"
        rows={1}
        value={text}
        aria-label={t("write")}
        placeholder={t("write")}
        onChange={({ currentTarget: { value } }) => {
          changeDraft(friend.user_id, { text: value });
          if (value.trim() !== "") onType?.();
        }}
        onKeyDown={handleKey}
        onPaste={handlePaste}
      />
      <div className={styles.buttons}>
        {voice.button}
        {!isRecording && (
          <IconButton icon="send" label={t("send")} look="solid" type="submit" aria-disabled={isEmpty} />
        )}
      </div>
      {voice.sheet}
    </Form>
  );
}

interface AttachButtonProps extends Pick<ComposerProps, "friend" | "wantsPictures"> {
  onAttach: (file: File | undefined) => void;
}

function AttachButton({ friend, wantsPictures, onAttach }: AttachButtonProps) {
  const t = useTranslations("chat");
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton
        icon="image"
        label={wantsPictures ? t("attach") : t("picturesUnwanted", { name: isolated(friend.username) })}
        aria-disabled={!wantsPictures || undefined}
        onClick={() => (wantsPictures ? input.current?.click() : banner.alert("chat.picturesUnwantedNow"))}
      />
      <PictureInput ref={input} label={t("attach")} onChoose={onAttach} />
    </>
  );
}

/** The picture of the next message: chosen, pasted or dropped. */
function useAttachment(area: RefObject<HTMLTextAreaElement | null>, areWanted: boolean) {
  const [image, setImage] = useState<File | null>(null);
  function attach(file: File | undefined) {
    if (!file) return;
    if (!areWanted) banner.alert("chat.picturesUnwantedNow");
    else if (!file.type.startsWith("image/")) banner.alert("fields.not_an_image");
    else if (file.size > IMAGE_MAX_BYTES) banner.alert("fields.image_too_large");
    else setImage(file);
    area.current?.focus();
  }
  function take(event: SyntheticEvent, data: DataTransfer) {
    const file = fileIn(data);
    if (!file) return;
    event.preventDefault();
    attach(file);
  }
  return {
    image,
    attach,
    remove: () => setImage(null),
    handlePaste: (event: ClipboardEvent) => take(event, event.clipboardData),
    dropProps: {
      onDragOver(event: DragEvent) {
        if (event.dataTransfer.types.includes("Files")) event.preventDefault();
      },
      onDrop: (event: DragEvent) => take(event, event.dataTransfer),
    },
  };
}

interface Reply {
  readonly name: string;
  readonly quote: Quote;
}

/** The message or note of the draft's reply. Null while it is not loaded, and once it is gone. */
function useReply(friend: ComposerProps["friend"], items: readonly ChatItem[]): Reply | null {
  const t = useTranslations("chat");
  const { replyId, noteId } = useDraft(friend.user_id);
  const name = isolated(friend.username);
  const item = items.find(({ id }) => id !== null && id === replyId);
  if (item)
    return { name: item.isOwn ? t("replyToSelf") : t("replyTo", { name }), quote: quoteOf(item, friend) };
  const note = friend.posts.find(({ id }) => id === noteId);
  if (!note) return null;
  const description = cut(note.text, QUOTE_MAX);
  const quote = {
    id: note.id,
    sender_id: friend.user_id,
    description,
    has_image: false,
    is_note: true,
  } as const;
  return { name: t("replyToNote", { name }), quote };
}

function quoteOf({ id, isOwn, text, imageUrl, voice }: ChatItem, friend: Party): Quote {
  return {
    id: id!,
    sender_id: isOwn ? "" : friend.user_id,
    description: text === null ? null : cut(text, QUOTE_MAX),
    has_image: imageUrl !== null,
    ...(voice && { has_voice: true as const }),
  };
}

function ReplyQuote({ name, quote, onCancel }: Reply & { onCancel: () => void }) {
  const t = useTranslations("chat");
  return (
    <div className={styles.quote}>
      <div role="group" aria-label={name}>
        <QuoteText name={name} quote={quote} />
      </div>
      <IconButton icon="close" label={t("cancelReply")} onClick={onCancel} />
    </div>
  );
}

function AttachedImage({ image, onRemove }: { image: File; onRemove: () => void }) {
  const t = useTranslations("chat");
  const url = useObjectUrl(image);
  return (
    <div className={styles.attached}>
      <img src={url ?? undefined} alt={t("image")} />
      <IconButton icon="close" label={t("removeImage")} onClick={onRemove} />
    </div>
  );
}
