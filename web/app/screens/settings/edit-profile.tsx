import { useCallback, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { getOwnUser } from "@alcove/contract/accounts";
import type { ResponseOf } from "@alcove/contract/call";
import { getClearIconViewers } from "@alcove/contract/discovery";
import { parseFields } from "@alcove/contract/fields";
import { addPicture, changePicture, saveProfile } from "@alcove/contract/profiles";
import type { User } from "@alcove/contract/users";
import { OwnCard } from "../../features/profile/own-card.tsx";
import { FactFields, IntroductionField, NameField } from "../../features/profile-form/about-fields.tsx";
import { LinkFields } from "../../features/profile-form/link-fields.tsx";
import { api } from "../../lib/api/api.ts";
import { banner } from "../../lib/page/banner.ts";
import { actionResult } from "../../lib/forms/form-result.ts";
import { submitForm } from "../../lib/forms/submit-form.ts";
import { useForm } from "../../lib/forms/use-form.ts";
import { Form } from "../../ui/forms/form.tsx";
import { changedFields, type Values, valuesOf } from "./changed-fields.ts";
import { ClearPictureViewers } from "./clear-picture-viewers.tsx";
import { Pictures } from "./pictures.tsx";
import { SaveBar } from "./save-bar.tsx";
import { SettingHead } from "./setting-head.tsx";
import { UnsavedSheet } from "./unsaved-sheet.tsx";

export async function loadProfile() {
  const { user } = await api(getOwnUser, {});
  const viewers = clearPicturesOf(user) === "" ? [] : (await api(getClearIconViewers, {})).users;
  return { user, viewers };
}

/** The texts, or one picture. */
export async function submitProfile(form: FormData) {
  const intent = form.get("intent");
  if (intent === "add-picture") return actionResult(await submitForm(addPicture, form));
  if (intent === "change-picture") return actionResult(await submitForm(changePicture, form));
  return actionResult(await submitForm(saveProfile, form));
}

type Loaded = Awaited<ReturnType<typeof loadProfile>>;

/** The pictures, saved at once, and the form of the own profile. */
export function EditProfile({ loaded }: { loaded: Loaded }) {
  const t = useTranslations("settings");
  const tp = useTranslations("profileForm");
  /** As last saved. `times` remounts the fields after each save. */
  const [{ user, times }, setSaved] = useState({ user: loaded.user, times: 0 });
  const [loadedBefore, setLoadedBefore] = useState(loaded);
  // Another tab or device may have changed the pictures.
  if (loaded !== loadedBefore) {
    setLoadedBefore(loaded);
    setSaved({ user: { ...user, ...picturesIn(loaded.user) }, times });
  }
  const savedValues = useRef<Values>({});
  const [changes, setChanges] = useState(0);
  const clearPictures = clearPicturesOf(user);
  const changesOf = (element: HTMLFormElement) =>
    changedFields(valuesOf(new FormData(element)), savedValues.current).length;

  const form = useForm<ResponseOf<typeof saveProfile>>({
    check(fields) {
      const parsed = parseFields(saveProfile.input, valuesOf(fields));
      return parsed.ok ? {} : parsed.errors;
    },
    complete: (fields) => keepChanged(fields, savedValues.current),
    onChange: (element) => setChanges(changesOf(element)),
    onDone({ user: saved }) {
      setSaved({ user: saved, times: times + 1 });
      setChanges(0);
      banner.notify("settings.saved");
    },
  });
  const { errorsOf } = form;
  const { ref } = form.props;
  const rememberSaved = useCallback((fields: HTMLElement | null) => {
    const element = fields?.closest("form");
    if (element) savedValues.current = valuesOf(new FormData(element));
  }, []);

  return (
    <>
      <SettingHead title={t("profile")} />
      <div className="stack-lg">
        <OwnCard user={user} />
        <Pictures
          user={user}
          onSaved={(saved) =>
            setSaved((before) => ({ ...before, user: { ...before.user, ...picturesIn(saved) } }))
          }
        />
        {clearPictures !== "" && (
          <ClearPictureViewers
            key={clearPictures}
            users={clearPictures === clearPicturesOf(loaded.user) ? loaded.viewers : []}
          />
        )}
        <Form {...form.props} className="stack-lg above-bar">
          <div key={times} ref={rememberSaved} className="stack-lg">
            <section className="stack">
              <h2>{tp("about")}</h2>
              <NameField user={user} errorsOf={errorsOf} />
              <IntroductionField user={user} errorsOf={errorsOf} />
              <FactFields user={user} errorsOf={errorsOf} />
            </section>
            <LinkFields user={user} errorsOf={errorsOf} />
          </div>
          <SaveBar changes={changes} isBusy={form.isBusy} />
        </Form>
      </div>
      <UnsavedSheet hasChanges={() => ref.current !== null && changesOf(ref.current) > 0} />
    </>
  );
}

/** The typed texts are compared with the texts as they were loaded. */
function picturesIn(user: User) {
  const { icon, icon_process, pictures, pictures_process, pictures_waiting, clear_icon, clear_pictures } =
    user;
  return { icon, icon_process, pictures, pictures_process, pictures_waiting, clear_icon, clear_pictures };
}

/** A new clear picture, or the removal of the last, ends all choices of viewers. */
const clearPicturesOf = (user: User): string =>
  user.clear_pictures
    .filter((picture) => picture !== null)
    .sort((one, other) => one.localeCompare(other))
    .join(" ");

/** Keeps only changed fields, so that changes of another device stay. */
function keepChanged(fields: FormData, saved: Values): void {
  const changed = changedFields(valuesOf(fields), saved).flat();
  for (const name of Object.keys(valuesOf(fields))) if (!changed.includes(name)) fields.delete(name);
}
