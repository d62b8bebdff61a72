import { useRef, useState } from "react";
import { useTranslations } from "use-intl";
import type { InputOf } from "@alcove/contract/call";
import { addPicture, changePicture, previewIcon, removePicture } from "@alcove/contract/profiles";
import type { User } from "@alcove/contract/users";
import { PictureField } from "../../features/profile-form/picture-field.tsx";
import { api } from "../../lib/api.ts";
import { banner } from "../../lib/banner.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { serverErrorsOf, useFormErrors } from "../../lib/forms/use-form-errors.ts";
import { Button } from "../../ui/button.tsx";
import { Sheet } from "../../ui/dialog.tsx";
import { Check } from "../../ui/forms/field.tsx";
import { Form } from "../../ui/forms/form.tsx";
import { entriesOf } from "./use-unsaved-changes.ts";

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
  const form = useRef<HTMLFormElement>(null);
  const formErrors = useFormErrors(form);
  const place = path === null ? user.pictures.length : user.pictures.indexOf(path);
  const isProcessed = user.pictures_process[place] ?? true;
  const hasClear = (user.clear_pictures[place] ?? null) !== null;
  const total = user.pictures.length;

  const save = useAction(async (element: HTMLFormElement) => {
    const fields = entriesOf(element);
    const change: Omit<InputOf<typeof changePicture>, "picture"> = {
      ...((icon !== null || !isProcessed) && { icon_process: "icon_process" in fields }),
      ...((icon !== null || hasClear) && { keep_clear_icon: "keep_clear_icon" in fields }),
    };
    const saved =
      path === null
        ? await api(addPicture, { ...change, icon: icon! })
        : await api(changePicture, { ...change, ...(icon && { icon }), picture: path });
    onSaved(saved.user);
    banner.notify("profileForm.pictureSaved");
    onClose();
  }, formErrors.showFailure);

  function move(by: -1 | 1) {
    onMove(place, place + by);
    onClose();
  }

  return (
    <Sheet
      isOpen
      onClose={onClose}
      closeButton
      title={
        path === null ? t("newPicture") : t("pictureOf", { place: String(place + 1), total: String(total) })
      }
    >
      <Form ref={form} className="stack" noValidate onSubmit={save.start}>
        <PictureField
          key={icon ? "another" : "stored"}
          current={path ?? ""}
          icon={icon}
          onChoose={onChoose}
          onCancel={onCancel}
          onPreview={(picture, signal) => api(previewIcon, { icon: picture }, { signal })}
          isProcessed={isProcessed}
          isChange={path !== null}
          hint={t("pictureHint")}
          errors={serverErrorsOf(formErrors.errors)("icon")}
        >
          {(icon !== null || hasClear) && (
            <Check
              name="keep_clear_icon"
              value="yes"
              defaultChecked={icon === null}
              hint={t("keepClearHint")}
            >
              {t("keepClear")}
            </Check>
          )}
        </PictureField>
        <Button type="submit" block busy={save.isBusy}>
          {t("savePicture")}
        </Button>
      </Form>
      {path !== null && total > 1 && (
        <>
          <div className="picture-moves">
            <Button kind="quiet" small disabled={place === 0} onClick={() => move(-1)}>
              {t("moveEarlier")}
            </Button>
            <Button kind="quiet" small disabled={place === total - 1} onClick={() => move(1)}>
              {t("moveLater")}
            </Button>
          </div>
          <Removal path={path} onSaved={onSaved} onClose={onClose} />
        </>
      )}
    </Sheet>
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
