import { useRef, useState } from "react";
import { type ActionFunctionArgs, useLoaderData, useRevalidator } from "react-router";
import { useTranslations } from "use-intl";
import {
  endOtherSessions,
  endSession,
  getSessions,
  type OpenSession,
  saveSessions,
} from "@alcove/contract/accounts";
import { NEW_DEVICE_DAYS } from "@alcove/contract/limits";
import { api } from "../../lib/api/api.ts";
import { banner } from "../../lib/page/banner.ts";
import { ApiError } from "../../lib/api/errors.ts";
import { actionResult } from "../../lib/forms/form-result.ts";
import { submitForm } from "../../lib/forms/submit-form.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { useSettings } from "../../lib/forms/use-settings.ts";
import { showError } from "../../lib/page/show-error.ts";
import { Button } from "../../ui/button.tsx";
import { Sheet } from "../../ui/dialog.tsx";
import { Switch } from "../../ui/forms/switch.tsx";
import { Icon } from "../../ui/icon.tsx";
import { SheetButtons } from "../../ui/sheet-buttons.tsx";
import badgeStyles from "../../ui/styles/badge.module.css";
import screenHeadStyles from "../../ui/styles/screen-head.module.css";
import listStyles from "../../ui/styles/list.module.css";

export async function loader() {
  return api(getSessions, {});
}

/** The setting for notices of new devices. */
export async function action({ request }: ActionFunctionArgs) {
  return actionResult(await submitForm(saveSessions, await request.formData()));
}

export default function DevicesScreen() {
  const { sessions, tells_new_devices: tells } = useLoaderData<typeof loader>();
  const t = useTranslations("devices");
  const ts = useTranslations("settings");
  const { revalidate } = useRevalidator();
  const heading = useRef<HTMLHeadingElement>(null);
  const [target, setTarget] = useState<OpenSession | "others" | null>(null);
  const isAlone = sessions.length === 1;

  async function handleSignOut() {
    try {
      if (target === "others") await api(endOtherSessions, {});
      else await api(endSession, { sessionId: target!.id });
      banner.notify("devices.signedOut");
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 404)) throw error; // the session still exists
      showError(error);
    }
    setTarget(null);
    await revalidate();
    heading.current?.focus(); // the button disappears with its row
  }

  return (
    <div className="stack">
      <div className={screenHeadStyles.head}>
        <h1 ref={heading} tabIndex={-1}>
          {ts("devices")}
        </h1>
      </div>
      <p className="muted">{isAlone ? t("onlyThis") : t("text")}</p>
      <ul className={listStyles.list}>
        {sessions.map((session) => (
          <DeviceRow key={session.id} session={session} onSignOut={() => setTarget(session)} />
        ))}
      </ul>
      {!isAlone && (
        <Button kind="quiet" onClick={() => setTarget("others")}>
          {t("signOutOthers")}
        </Button>
      )}
      <TellSwitch tells={tells} />
      <SignOutSheet target={target} onSignOut={handleSignOut} onClose={() => setTarget(null)} />
    </div>
  );
}

function TellSwitch({ tells }: { tells: boolean }) {
  const t = useTranslations("devices");
  const { values, save } = useSettings({ tells_new_devices: tells ? "yes" : "no" });
  return (
    <Switch
      checked={values.tells_new_devices === "yes"}
      hint={t("tellHint", { days: String(NEW_DEVICE_DAYS) })}
      onChange={(event) => save({ tells_new_devices: event.currentTarget.checked ? "yes" : "no" })}
    >
      {t("tell")}
    </Switch>
  );
}

function DeviceRow({ session, onSignOut }: { session: OpenSession; onSignOut: () => void }) {
  const t = useTranslations("devices");
  const { current, device_name: name, last_used } = session;
  return (
    <li className={listStyles.row}>
      <Icon name="devices" />
      <span>
        {name} {session.new && <span className={badgeStyles.badge}>{t("new")}</span>}
        <span className="hint">
          {current ? t("current") : t("lastUsed", { day: last_used.replaceAll("-", "/") })}
        </span>
      </span>
      {!current && (
        <Button kind="quiet" small aria-label={t("signOutName", { name })} onClick={onSignOut}>
          {t("signOut")}
        </Button>
      )}
    </li>
  );
}

interface SignOutSheetProps {
  target: OpenSession | "others" | null;
  onSignOut: () => Promise<void>;
  onClose: () => void;
}

function SignOutSheet({ target, onSignOut, onClose }: SignOutSheetProps) {
  const t = useTranslations("devices");
  const signOut = useAction(onSignOut);
  const isOthers = target === "others";
  const name = target === null || isOthers ? "" : target.device_name;

  return (
    <Sheet
      isOpen={target !== null}
      onClose={onClose}
      title={isOthers ? t("confirmLogoutOthers") : t("confirmLogout", { name })}
    >
      <p className="muted">{isOthers ? t("confirmLogoutOthersText") : t("confirmLogoutText")}</p>
      <SheetButtons
        isBusy={signOut.isBusy}
        onConfirm={signOut.start}
        confirm={t("signOut")}
        cancel={t("cancel")}
        onCancel={onClose}
      />
    </Sheet>
  );
}
