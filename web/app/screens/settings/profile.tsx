import { useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { getOwnUser } from "@alcove/contract/accounts";
import type { InputOf, ParsedOf } from "@alcove/contract/call";
import { getClearIconViewers } from "@alcove/contract/discovery";
import { parseFields } from "@alcove/contract/fields";
import { saveProfile } from "@alcove/contract/profiles";
import type { User } from "@alcove/contract/users";
import { FactFields, IntroductionField, NameField } from "../../features/profile-form/about-fields.tsx";
import { LinkFields } from "../../features/profile-form/link-fields.tsx";
import { api } from "../../lib/api.ts";
import { banner } from "../../lib/banner.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { invalidNumbers, serverErrorsOf, useFormErrors } from "../../lib/forms/use-form-errors.ts";
import { Button } from "../../ui/button.tsx";
import { Sheet } from "../../ui/dialog.tsx";
import { Form } from "../../ui/forms/form.tsx";
import type { Route } from "./+types/profile";
import { ClearPictureViewers } from "./clear-picture-viewers.tsx";
import { Pictures } from "./pictures.tsx";
import { entriesOf, useUnsavedChanges } from "./use-unsaved-changes.ts";

export async function clientLoader() {
  const { user } = await api(getOwnUser, {});
  const viewers = clearPicturesOf(user) === "" ? [] : (await api(getClearIconViewers, {})).users;
  return { user, viewers };
}

export default function ProfileScreen({ loaderData }: Route.ComponentProps) {
  const t = useTranslations("settings");
  const tp = useTranslations("profileForm");
  const form = useRef<HTMLFormElement>(null);
  /** As last saved. `times` remounts the fields after each save. */
  const [{ user, times }, setSaved] = useState({ user: loaderData.user, times: 0 });
  const clearPictures = clearPicturesOf(user);
  const formErrors = useFormErrors(form);
  const errorsOf = serverErrorsOf(formErrors.errors);
  const { blocker, rememberSaved } = useUnsavedChanges(form);

  const save = useAction(async (sent: ParsedOf<typeof saveProfile>) => {
    const changes = changesOf(user, sent);
    const saved = Object.keys(changes).length > 0 ? (await api(saveProfile, changes)).user : user;
    setSaved({ user: saved, times: times + 1 });
    banner.notify("settings.saved");
  }, formErrors.showFailure);

  function handleSubmit(element: HTMLFormElement) {
    const invalid = invalidNumbers(element);
    const parsed = parseFields(saveProfile.input, entriesOf(element));
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
      <div className="stack-lg">
        <Pictures
          user={user}
          onSaved={(saved) =>
            setSaved((before) => ({ ...before, user: { ...before.user, ...picturesIn(saved) } }))
          }
        />
        {clearPictures !== "" && (
          <ClearPictureViewers
            key={clearPictures}
            users={clearPictures === clearPicturesOf(loaderData.user) ? loaderData.viewers : []}
          />
        )}
        <Form ref={form} className="stack-lg" noValidate onSubmit={handleSubmit}>
          <div key={times} ref={rememberSaved} className="stack-lg">
            <section className="stack">
              <h2>{tp("about")}</h2>
              <NameField user={user} errorsOf={errorsOf} />
              <IntroductionField user={user} errorsOf={errorsOf} />
              <FactFields user={user} errorsOf={errorsOf} />
            </section>
            <LinkFields user={user} errorsOf={errorsOf} />
          </div>
          <div className="save-bar">
            <Button type="submit" block busy={save.isBusy}>
              {t("save")}
            </Button>
          </div>
        </Form>
      </div>
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

/** The typed texts are compared with the texts as they were loaded. */
function picturesIn({ icon, icon_process, pictures, pictures_process, clear_icon, clear_pictures }: User) {
  return { icon, icon_process, pictures, pictures_process, clear_icon, clear_pictures };
}

/** A new clear picture, or the removal of the last, ends all choices of viewers. */
const clearPicturesOf = (user: User): string => user.clear_pictures.filter(Boolean).toSorted().join(" ");

/** Returns only changed fields, so that changes of another device stay. */
function changesOf(user: User, sent: ParsedOf<typeof saveProfile>): InputOf<typeof saveProfile> {
  const isChange = ([name, value]: [string, unknown]) =>
    value !== undefined && value !== user[name as keyof User];
  return Object.fromEntries(Object.entries(sent).filter(isChange));
}
