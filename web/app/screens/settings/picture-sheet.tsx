import { useState } from "react";
import { useTranslations } from "use-intl";
import { previewIcon, removePicture } from "@alcove/contract/profiles";
import type { User } from "@alcove/contract/users";
import { PictureField } from "../../features/profile-form/picture-field.tsx";
import { api } from "../../lib/api/api.ts";
import { banner } from "../../lib/page/banner.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { useForm } from "../../lib/forms/use-form.ts";
import { Button } from "../../ui/button.tsx";
import { Sheet } from "../../ui/dialog.tsx";
import { Form } from "../../ui/forms/form.tsx";
import { Switch } from "../../ui/forms/switch.tsx";
import styles from "./pictures.module.css";

interface PictureSheetProps {
  user: User;
  /** Null for a new picture. */
  path: string | null;
  /** The cropped file of a new or another picture. */
  icon: File | null;
  onChoose: (file: File) => void;
  onCancel: () => void;
  onMove: (from: number, to: number) => void;
  onSaved: (user: User) => void;
  onClose: () => void;
}

/** One picture as it is on a card, and its actions. */
export function PictureSheet({
  user,
  path,
  icon,
  onChoose,
  onCancel,
  onMove,
  onSaved,
  onClose,
}: PictureSheetProps) {
  const t = useTranslations("profileForm");
  const place = path === null ? user.pictures.length : user.pictures.indexOf(path);
  const isProcessed = user.pictures_process[place] ?? true;
  const hasClear = (user.clear_pictures[place] ?? null) !== null;
  const total = user.pictures.length;

  const [isChanged, setChanged] = useState(false);
  const form = useForm<{ user: User }>({
    onChange: () => setChanged(true),
    check: () => ({}),
    complete(fields) {
      const keepIf = (isOffered: boolean, name: string) => {
        if (isOffered) fields.set(name, fields.has(name) ? "yes" : "no");
        else fields.delete(name);
      };
      keepIf(icon !== null || !isProcessed, "icon_process");
      keepIf(icon !== null || hasClear, "keep_clear_icon");
      fields.set("intent", path === null ? "add-picture" : "change-picture");
      if (path !== null) fields.set("picture", path);
      if (icon) fields.set("icon", icon);
    },
    onDone({ user: saved }) {
      onSaved(saved);
      banner.notify("profileForm.pictureSaved");
      onClose();
    },
  });

  return (
    <Sheet
      isOpen
      onClose={onClose}
      closeButton
      title={
        path === null ? t("newPicture") : t("pictureOf", { place: String(place + 1), total: String(total) })
      }
    >
      <Form {...form.props} className="stack">
        <PictureField
          key={icon ? "another" : "stored"}
          current={path ?? ""}
          icon={icon}
          onChoose={onChoose}
          onCancel={onCancel}
          onPreview={(picture, signal) => api(previewIcon, { icon: picture }, { signal })}
          isProcessed={isProcessed}
          isChange={path !== null}
          errors={form.errorsOf("icon")}
        >
          {(icon !== null || hasClear) && (
            <Switch
              name="keep_clear_icon"
              value="yes"
              defaultChecked={icon === null}
              hint={t("keepClearHint")}
            >
              {t("keepClear")}
            </Switch>
          )}
        </PictureField>
        {(icon !== null || isChanged) && <SaveButton isBusy={form.isBusy} />}
      </Form>
      {path !== null && total > 1 && (
        <>
          <Moves place={place} total={total} onMove={onMove} onClose={onClose} />
          <Removal path={path} onSaved={onSaved} onClose={onClose} />
        </>
      )}
    </Sheet>
  );
}

function SaveButton({ isBusy }: { isBusy: boolean }) {
  const t = useTranslations("profileForm");
  return (
    <Button type="submit" block busy={isBusy}>
      {t("savePicture")}
    </Button>
  );
}

interface MovesProps extends Pick<PictureSheetProps, "onMove" | "onClose"> {
  /** From 0. */
  place: number;
  total: number;
}

function Moves({ place, total, onMove, onClose }: MovesProps) {
  const t = useTranslations("profileForm");
  function move(by: -1 | 1) {
    onMove(place, place + by);
    onClose();
  }
  return (
    <div className={styles.moves}>
      <Button kind="quiet" small disabled={place === 0} onClick={() => move(-1)}>
        {t("moveEarlier")}
      </Button>
      <Button kind="quiet" small disabled={place === total - 1} onClick={() => move(1)}>
        {t("moveLater")}
      </Button>
    </div>
  );
}

/** Asks again, because a removed picture is deleted at once. */
function Removal({
  path,
  onSaved,
  onClose,
}: Pick<PictureSheetProps, "onSaved" | "onClose"> & { path: string }) {
  const t = useTranslations("profileForm");
  const [isAsking, setAsking] = useState(false);
  const remove = useAction(async () => {
    onSaved((await api(removePicture, { picture: path })).user);
    banner.notify("profileForm.pictureRemoved");
    onClose();
  });
  if (!isAsking)
    return (
      <Button kind="ghost" small onClick={() => setAsking(true)}>
        {t("removePicture")}
      </Button>
    );
  return (
    <Button kind="danger" busy={remove.isBusy} onClick={remove.start}>
      {t("removePictureSure")}
    </Button>
  );
}
