import { useEffect, useMemo, useRef, useState, type ClipboardEvent, type KeyboardEvent } from "react";
import { useTranslations } from "use-intl";
import { lengthOf } from "@alcove/contract/fields";
import { IMAGE_MAX_BYTES, MESSAGE_MAX } from "@alcove/contract/limits";
import { banner } from "../../lib/banner.ts";
import { IconButton } from "../../ui/button.tsx";
import { Form } from "../../ui/forms/form.tsx";
import { draftOf, saveDraft } from "./drafts.ts";

interface ComposerProps {
  friendId: string;
  onSend: (text: string | null, file: File | null) => void;
}

/** With a keyboard, Enter sends, but never while an input method composes a character. */
export function Composer({ friendId, onSend }: ComposerProps) {
  const t = useTranslations("chat");
  const [text, setText] = useState(() => draftOf(friendId));
  const [image, setImage] = useState<File | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const area = useRef<HTMLTextAreaElement>(null);

  function change(draft: string) {
    setText(draft);
    saveDraft(friendId, draft);
  }
  function attach(file: File | undefined) {
    if (!file) return;
    if (!file.type.startsWith("image/")) banner.alert("fields.not_an_image");
    else if (file.size > IMAGE_MAX_BYTES) banner.alert("fields.image_too_large");
    else setImage(file);
    area.current?.focus();
  }
  function send() {
    const message = text.trim();
    if (message === "" && !image) return;
    if (lengthOf(message) > MESSAGE_MAX) {
      banner.alert("fields.too_long");
      return;
    }
    onSend(message === "" ? null : message, image);
    change("");
    setImage(null);
  }
  function handleSubmit() {
    send();
    area.current?.focus();
  }
  function handleKey(event: KeyboardEvent<HTMLTextAreaElement>) {
    // Some input methods report a composition only by this key code.
    const isComposing = event.nativeEvent.isComposing || event.keyCode === 229;
    if (event.key !== "Enter" || event.shiftKey || isComposing || !matchMedia("(pointer: fine)").matches)
      return;
    event.preventDefault();
    send();
  }
  function handlePaste(event: ClipboardEvent) {
    const file = [...event.clipboardData.files].find(({ type }) => type.startsWith("image/"));
    if (!file) return;
    event.preventDefault();
    attach(file);
  }

  return (
    <Form
      className="composer"
      onSubmit={handleSubmit}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        attach(event.dataTransfer.files[0]);
      }}
    >
      {image && <AttachedImage image={image} onRemove={() => setImage(null)} />}
      <IconButton icon="image" label={t("attach")} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        aria-label={t("attach")}
        onChange={(event) => {
          attach(event.currentTarget.files?.[0]);
          event.currentTarget.value = "";
        }}
      />
      <textarea
        ref={area}
        className="input"
        rows={1}
        value={text}
        aria-label={t("write")}
        placeholder={t("write")}
        onChange={(event) => change(event.currentTarget.value)}
        onKeyDown={handleKey}
        onPaste={handlePaste}
      />
      <IconButton icon="send" label={t("send")} look="solid" type="submit" />
    </Form>
  );
}

function AttachedImage({ image, onRemove }: { image: File; onRemove: () => void }) {
  const t = useTranslations("chat");
  const url = useMemo(() => URL.createObjectURL(image), [image]);
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  return (
    <div className="composer__attached">
      <img src={url} alt={t("image")} />
      <IconButton icon="close" label={t("removeImage")} onClick={onRemove} />
    </div>
  );
}
