import { useId, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { PICTURES_MAX } from "@alcove/contract/limits";
import { previewIcon } from "@alcove/contract/profiles";
import type { User } from "@alcove/contract/users";
import { usePictureCrop } from "../../features/crop/use-picture-crop.tsx";
import { api } from "../../lib/api/api.ts";
import { hasKeys } from "../../lib/page/has-keys.ts";
import { PictureInput } from "../../ui/forms/picture-input.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Picture } from "../../ui/picture.tsx";
import { PictureSheet } from "./picture-sheet.tsx";
import { usePictureOrder } from "./use-picture-order.ts";
import { useReorder } from "./use-reorder.ts";
import { classNames } from "../../ui/class-names.ts";
import portraitStyles from "../../ui/styles/portrait.module.css";
import styles from "./pictures.module.css";

interface PicturesProps {
  user: User;
  /** Every change is saved at once. */
  onSaved: (user: User) => void;
}

/** The member's pictures in order. The first one is on the card. */
export function Pictures({ user, onSaved }: PicturesProps) {
  const t = useTranslations("profileForm");
  const hint = useId();
  const list = useRef<HTMLUListElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [edited, setEdited] = useState<{ path: string | null } | null>(null);
  const [icon, setIcon] = useState<File | null>(null);
  const { choosePicture, cropOverlay } = usePictureCrop(
    (cropped) => {
      setIcon(cropped);
      setEdited((before) => before ?? { path: null });
    },
    (copy, signal) => api(previewIcon, { icon: copy }, { signal }),
  );
  const { pictures, move, announced } = usePictureOrder(user, onSaved);
  const { itemProps, isDragging } = useReorder(list, pictures.length, move);

  function close() {
    setEdited(null);
    setIcon(null);
  }

  return (
    <section className="stack" aria-label={t("pictures")}>
      <h2>{t("pictures")}</h2>
      <ul ref={list} className={styles.pictures} data-dragging={isDragging || undefined}>
        {pictures.map((path, i) => (
          <li key={path} {...itemProps(i)}>
            <OnePicture
              path={path}
              place={i + 1}
              total={pictures.length}
              isBlurred={user.pictures_process[user.pictures.indexOf(path)] ?? false}
              isWaiting={user.pictures_waiting[user.pictures.indexOf(path)] ?? false}
              orderTextId={hint}
              onOpen={() => setEdited({ path })}
            />
          </li>
        ))}
        {pictures.length < PICTURES_MAX && (
          <li>
            <button
              type="button"
              className={classNames(portraitStyles.portrait, styles.add)}
              onClick={() => input.current?.click()}
            >
              <Icon name="plus" />
              {t("addPicture")}
            </button>
          </li>
        )}
      </ul>
      <p id={hint} className="hint" hidden={pictures.length < 2}>
        {t(hasKeys() ? "orderHintKeys" : "orderHint")}
      </p>
      <span role="status" className="vh">
        {announced}
      </span>
      <PictureInput ref={input} label={t("addPicture")} onChoose={choosePicture} />
      {edited && (
        <PictureSheet
          user={user}
          path={edited.path}
          icon={icon}
          onChoose={choosePicture}
          onCancel={() => (edited.path === null ? close() : setIcon(null))}
          onMove={move}
          onSaved={onSaved}
          onClose={close}
        />
      )}
      {cropOverlay}
    </section>
  );
}

interface OnePictureProps {
  path: string;
  /** From 1. */
  place: number;
  total: number;
  isBlurred: boolean;
  /** Others do not see it yet. */
  isWaiting: boolean;
  /** The element that explains how to order them. */
  orderTextId: string;
  onOpen: () => void;
}

function OnePicture({ path, place, total, isBlurred, isWaiting, orderTextId, onOpen }: OnePictureProps) {
  const t = useTranslations("profileForm");
  return (
    <>
      <button
        type="button"
        className={portraitStyles.portrait}
        aria-describedby={total > 1 ? orderTextId : undefined}
        onClick={onOpen}
      >
        <Picture
          src={path}
          alt={t("pictureOf", { place: String(place), total: String(total) })}
          sizes="10rem"
          width="160"
          height="160"
          draggable={false}
        />
      </button>
      <span className={styles.label}>
        {isBlurred && (
          <>
            <Icon name="glass" small />
            <span className="vh">{t("pictureBlurred")}</span>
          </>
        )}
        {isWaiting && t("pictureWaiting")}
        {!isWaiting && (place === 1 ? t("onYourCard") : <span className="num">{place}</span>)}
      </span>
    </>
  );
}
