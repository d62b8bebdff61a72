import { useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { getOwnUser } from "@alcove/contract/accounts";
import type { InputOf, ParsedOf } from "@alcove/contract/call";
import { getClearIconViewers } from "@alcove/contract/discovery";
import { parseFields } from "@alcove/contract/fields";
import { previewIcon, saveProfile } from "@alcove/contract/profiles";
import type { User } from "@alcove/contract/users";
import { usePictureCrop } from "../../features/crop/use-picture-crop.tsx";
import { FactFields, IntroductionField, NameField } from "../../features/profile-form/about-fields.tsx";
import { LinkFields } from "../../features/profile-form/link-fields.tsx";
import { PictureField } from "../../features/profile-form/picture-field.tsx";
import { api } from "../../lib/api.ts";
import { banner } from "../../lib/banner.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { invalidNumbers, serverErrorsOf, useFormErrors } from "../../lib/forms/use-form-errors.ts";
import { Button } from "../../ui/button.tsx";
import { Sheet } from "../../ui/dialog.tsx";
import { Check } from "../../ui/forms/field.tsx";
import { Form } from "../../ui/forms/form.tsx";
import type { Route } from "./+types/profile";
import { ClearPictureViewers } from "./clear-picture-viewers.tsx";
import { entriesOf, useUnsavedChanges } from "./use-unsaved-changes.ts";

export async function clientLoader() {
  const { user } = await api(getOwnUser, {});
  const viewers = user.clear_icon === null ? [] : (await api(getClearIconViewers, {})).users;
  return { user, viewers };
}

export default function ProfileScreen({ loaderData }: Route.ComponentProps) {
  const t = useTranslations("settings");
  const tp = useTranslations("profileForm");
  const form = useRef<HTMLFormElement>(null);
  /** As last saved. `times` remounts the fields after each save. */
  const [{ user, times }, setSaved] = useState({ user: loaderData.user, times: 0 });
  const [icon, setIcon] = useState<File | null>(null);
  const { choosePicture, cropOverlay } = usePictureCrop(setIcon);
  const formErrors = useFormErrors(form);
  const errorsOf = serverErrorsOf(formErrors.errors);
  const { blocker, rememberSaved } = useUnsavedChanges(form, icon !== null);

  const save = useAction(async (sent: ParsedOf<typeof saveProfile>) => {
    const changes = changesOf(user, sent);
    const saved = Object.keys(changes).length > 0 ? (await api(saveProfile, changes)).user : user;
    setSaved({ user: saved, times: times + 1 });
    setIcon(null);
    banner.notify("settings.saved");
  }, formErrors.showFailure);

  function handleSubmit(element: HTMLFormElement) {
    const invalid = invalidNumbers(element);
    const parsed = parseFields(saveProfile.input, rawFields(element, user, icon));
    if (!parsed.ok || Object.keys(invalid).length > 0) {
      formErrors.show({ ...(parsed.ok ? {} : parsed.errors), ...invalid });
      return;
    }
    formErrors.clear();
    save.start(parsed.value);
  }

  return (
    <>
      <div className="screen-head">
        <h1>{t("profile")}</h1>
      </div>
      <Form ref={form} className="stack-lg" noValidate onSubmit={handleSubmit}>
        <div key={times} ref={rememberSaved} className="stack-lg">
          <PictureField
            current={user.icon}
            icon={icon}
            onChoose={choosePicture}
            onPreview={(picture, signal) => api(previewIcon, { icon: picture }, { signal })}
            isProcessed={user.icon_process}
            isChange
            hint={tp("pictureHint")}
            errors={errorsOf("icon")}
            onCancel={() => setIcon(null)}
          >
            {(icon !== null || user.clear_icon !== null) && (
              <Check
                key={icon ? "another" : "kept"}
                name="keep_clear_icon"
                value="yes"
                defaultChecked={icon === null}
                hint={tp("keepClearHint")}
              >
                {tp("keepClear")}
              </Check>
            )}
          </PictureField>
          <section className="stack">
            <h2>{tp("about")}</h2>
            <NameField user={user} errorsOf={errorsOf} />
            <IntroductionField user={user} errorsOf={errorsOf} />
            <FactFields user={user} errorsOf={errorsOf} />
          </section>
          <LinkFields user={user} errorsOf={errorsOf} />
        </div>
        {user.clear_icon !== null && (
          <ClearPictureViewers
            key={user.clear_icon}
            users={user.clear_icon === loaderData.user.clear_icon ? loaderData.viewers : []}
          />
        )}
        <div className="save-bar">
          <Button type="submit" block busy={save.isBusy}>
            {t("save")}
          </Button>
        </div>
      </Form>
      {cropOverlay}
      <Sheet isOpen={blocker.state === "blocked"} onClose={() => blocker.reset?.()} title={t("unsaved")}>
        <p>{t("unsavedText")}</p>
        <div className="sheet__actions">
          <Button onClick={() => blocker.reset?.()}>{t("stay")}</Button>
          <Button kind="quiet" onClick={() => blocker.proceed?.()}>
            {t("leave")}
          </Button>
        </div>
      </Sheet>
    </>
  );
}

/** A processed picture has no checkbox and stays processed until another one is chosen. */
function rawFields(form: HTMLFormElement, user: User, icon: File | null): Record<string, unknown> {
  const fields = entriesOf(form);
  const hasBox = icon !== null || !user.icon_process;
  return {
    ...fields,
    ...(hasBox && { icon_process: fields["icon_process"] ?? "no" }),
    ...((icon || user.clear_icon !== null) && { keep_clear_icon: fields["keep_clear_icon"] ?? "no" }),
    ...(icon && { icon }),
  };
}

/** Returns only changed fields, so that changes of another device stay. A picture is sent with its options. */
function changesOf(user: User, sent: ParsedOf<typeof saveProfile>): InputOf<typeof saveProfile> {
  const isChange = ([name, value]: [string, unknown]) => {
    if (value === undefined) return false;
    if (name === "icon") return true;
    if (sent.icon && (name === "icon_process" || name === "keep_clear_icon")) return true;
    if (name === "keep_clear_icon") return value !== (user.clear_icon !== null);
    return value !== user[name as keyof User];
  };
  return Object.fromEntries(Object.entries(sent).filter(isChange));
}
