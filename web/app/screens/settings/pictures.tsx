import { useId, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { PICTURES_MAX } from "@alcove/contract/limits";
import { orderPictures } from "@alcove/contract/profiles";
import type { User } from "@alcove/contract/users";
import { usePictureCrop } from "../../features/crop/use-picture-crop.tsx";
import { api } from "../../lib/api/api.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { showError } from "../../lib/page/show-error.ts";
import { Icon } from "../../ui/icon.tsx";
import { Picture } from "../../ui/picture.tsx";
import { PictureSheet } from "./picture-sheet.tsx";
import { moved, useReorder } from "./use-reorder.ts";
import { classNames } from "../../ui/class-names.ts";
import portraitStyles from "../../ui/styles/portrait.module.css";
import styles from "./pictures.module.css";

const isStored = (path: string) => !path.endsWith(".svg");

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
  /** The order until the server has saved it. */
  const [unsaved, setUnsaved] = useState<readonly string[] | null>(null);
  const [announced, setAnnounced] = useState("");
  const [edited, setEdited] = useState<{ path: string | null } | null>(null);
  const [icon, setIcon] = useState<File | null>(null);
  const { choosePicture, cropOverlay } = usePictureCrop((cropped) => {
    setIcon(cropped);
    setEdited((before) => before ?? { path: null });
  });
  const pictures = (unsaved ?? user.pictures).filter(isStored);
  const total = String(pictures.length);

  const saveOrder = useAction(
    async (order: readonly string[]) => {
      onSaved((await api(orderPictures, { pictures: order.join() })).user);
      setUnsaved(null);
    },
    (error) => {
      setUnsaved(null);
      showError(error);
    },
  );

  function move(from: number, to: number): boolean {
    if (saveOrder.isBusy) return false;
    const order = moved(pictures, from, to);
    setUnsaved(order);
    setAnnounced(t("pictureMoved", { place: String(to + 1), total }));
    saveOrder.start(order);
    return true;
  }
  const { itemProps, isDragging } = useReorder(list, pictures.length, move);

  function close() {
    setEdited(null);
    setIcon(null);
  }

  const isBlurred = (path: string) => user.pictures_process[user.pictures.indexOf(path)] ?? false;
  return (
    <section className="stack" aria-label={t("pictures")}>
      <h2>{t("pictures")}</h2>
      <ul ref={list} className={styles.pictures} data-dragging={isDragging || undefined}>
        {pictures.map((path, i) => (
          <li key={path} {...itemProps(i)}>
            <button
              type="button"
              className={portraitStyles.portrait}
              aria-describedby={pictures.length > 1 ? hint : undefined}
              onClick={() => setEdited({ path })}
            >
              <Picture
                src={path}
                alt={t("pictureOf", { place: String(i + 1), total })}
                sizes="10rem"
                width="160"
                height="160"
                draggable={false}
              />
            </button>
            <span className={styles.label}>
              {isBlurred(path) && (
                <>
                  <Icon name="glass" small />
                  <span className="vh">{t("pictureBlurred")}</span>
                </>
              )}
              {i === 0 ? t("onYourCard") : <span className="num">{i + 1}</span>}
            </span>
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
        {t("orderHint")}
      </p>
      <span role="status" className="vh">
        {announced}
      </span>
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        aria-label={t("addPicture")}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          event.currentTarget.value = ""; // the same file may be chosen again
          if (file) choosePicture(file);
        }}
      />
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
