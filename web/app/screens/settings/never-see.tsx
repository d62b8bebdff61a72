import { serverNow } from "../../lib/dates-and-units/server-clock.ts";
import { useRef, useState } from "react";
import { type ActionFunctionArgs, useLoaderData, useRevalidator } from "react-router";
import { useTranslations } from "use-intl";
import { NEVER_SEE } from "@alcove/contract/limits";
import type { ValidationErrors } from "@alcove/contract/fields";
import {
  addNeverSee,
  getNeverSee,
  type NeverSeeEntry,
  type NeverSeePerson,
  parseNeverSee,
  removeNeverSee,
} from "@alcove/contract/safety";
import { api } from "../../lib/api/api.ts";
import { banner } from "../../lib/page/banner.ts";
import { dayText } from "../../lib/dates-and-units/dates.ts";
import { pickErrors } from "../../lib/forms/form.ts";
import { actionResult } from "../../lib/forms/form-result.ts";
import { submitForm } from "../../lib/forms/submit-form.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { useForm } from "../../lib/forms/use-form.ts";
import { Button } from "../../ui/button.tsx";
import { Sheet } from "../../ui/dialog.tsx";
import { Empty } from "../../ui/empty.tsx";
import { TextArea } from "../../ui/forms/field.tsx";
import { Form } from "../../ui/forms/form.tsx";
import { Icon } from "../../ui/icon.tsx";
import { SettingHead } from "./setting-head.tsx";
import listStyles from "../../ui/styles/list.module.css";
import dialogStyles from "../../ui/dialog.module.css";

export async function loader() {
  const { entries } = await api(getNeverSee, {});
  return { entries, now: new Date(serverNow()) };
}

export async function action({ request }: ActionFunctionArgs) {
  return actionResult(await submitForm(addNeverSee, await request.formData()));
}

/** The never-see list. Its entries are hashes, so the screen cannot show the person of an entry. */
export default function NeverSeeScreen() {
  const { entries, now } = useLoaderData<typeof loader>();
  const t = useTranslations("neverSee");
  const title = useTranslations("settings")("neverSee");
  const { revalidate } = useRevalidator();
  const [removing, setRemoving] = useState<NeverSeeEntry | null>(null);
  const list = useRef<HTMLHeadingElement>(null);

  return (
    <div className="stack-lg">
      <div className="stack">
        <SettingHead title={title} />
        <p className="muted">{t("intro")}</p>
        <p className="muted">{t("effect")}</p>
        <AddForm />
      </div>
      <section className="stack">
        <h2 ref={list} tabIndex={-1}>
          {t("entries")}
        </h2>
        <p className="muted">{t("kept")}</p>
        {entries.length === 0 && <Empty title={t("none")} />}
        {entries.length > 0 && (
          <ul className={listStyles.list}>
            {entries.map((entry) => (
              <Row key={entry.id} entry={entry} now={now} onRemove={() => setRemoving(entry)} />
            ))}
          </ul>
        )}
      </section>
      <RemoveSheet
        entry={removing}
        onRemoved={async () => {
          await revalidate();
          setRemoving(null);
          list.current?.focus(); // the button disappears with its row
        }}
        onClose={() => setRemoving(null)}
      />
    </div>
  );
}

function whoOf(fields: FormData): string {
  const who = fields.get("who");
  return typeof who === "string" ? who : "";
}

/** A name of two words would become two entries. */
function checkWho(fields: FormData): ValidationErrors {
  const who = whoOf(fields);
  const hasInnerSpace = who.split("\n").some((line) => /[^\s,;、，；]\s+[^\s,;、，；]/u.test(line));
  return hasInnerSpace ? { who: ["email_or_user_id"] } : pickErrors(addNeverSee, fields, ["who"]);
}

/** Shows each name before it is sent, because nothing shows it afterwards. */
function AddForm() {
  const t = useTranslations("neverSee");
  const [named, setNamed] = useState<readonly NeverSeePerson[] | null>(null);
  const form = useForm<unknown>({
    check: checkWho,
    onDone() {
      form.props.ref.current?.reset();
      setNamed(null);
      banner.notify("neverSee.added");
    },
    onFailure({ problems }) {
      if (Object.keys(problems).length > 0) setNamed(null);
      return false;
    },
  });
  function ask(element: HTMLFormElement) {
    if (form.check(element)) setNamed(parseNeverSee(whoOf(new FormData(element))));
  }
  const { perDay: aDay, total: inAll, minDays: days } = NEVER_SEE;
  return (
    <>
      <Form {...form.props} className="stack" onSubmit={ask}>
        <TextArea
          label={t("who")}
          name="who"
          rows={3}
          required
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          hint={t("whoHint", { aDay, inAll, days })}
          {...form.errorsOf("who")}
        />
        <Button type="submit" block busy={form.isBusy}>
          {t("add")}
        </Button>
      </Form>
      <ConfirmSheet
        named={named}
        isBusy={form.isBusy}
        onConfirm={() => form.props.onSubmit(form.props.ref.current!)}
        onClose={() => setNamed(null)}
      />
    </>
  );
}

interface ConfirmSheetProps {
  named: readonly NeverSeePerson[] | null;
  isBusy: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

function ConfirmSheet({ named, isBusy, onConfirm, onClose }: ConfirmSheetProps) {
  const t = useTranslations("neverSee");
  const [last, setLast] = useState<readonly NeverSeePerson[]>([]); // a closing sheet keeps its list
  if (named !== null && named !== last) setLast(named);
  return (
    <Sheet isOpen={named !== null} onClose={onClose} title={t("confirmTitle", { count: last.length })}>
      <ul className={listStyles.list}>
        {last.map(({ kind, value }) => (
          <li className={listStyles.row} key={`${kind} ${value}`}>
            <Icon name={kind === "email" ? "mail" : "user"} />
            <span>
              <bdi>{value}</bdi>
              <span className="hint">{t(kind)}</span>
            </span>
          </li>
        ))}
      </ul>
      <p>{t("confirmText", { days: NEVER_SEE.minDays })}</p>
      <Form className={dialogStyles.actions} onSubmit={onConfirm}>
        <Button type="submit" busy={isBusy}>
          {t("confirm")}
        </Button>
        <Button kind="ghost" onClick={onClose}>
          {t("change")}
        </Button>
      </Form>
    </Sheet>
  );
}

/** The server knows only the day in UTC. */
const utcDayText = (at: string): string => at.slice(0, 10).replaceAll("-", "/");

function Row({ entry, now, onRemove }: { entry: NeverSeeEntry; now: Date; onRemove: () => void }) {
  const t = useTranslations("neverSee");
  const removableAt = new Date(entry.removable_at);
  const isFixed = removableAt > now;
  return (
    <li className={listStyles.row}>
      <Icon name={entry.kind === "email" ? "mail" : "user"} />
      <span>
        {t(entry.kind)}
        <span className="hint">{t("addedAt", { date: utcDayText(entry.added_at) })}</span>
        {isFixed && <span className="hint">{t("removableFrom", { date: dayText(removableAt) })}</span>}
      </span>
      {!isFixed && (
        <Button kind="quiet" small onClick={onRemove}>
          {t("remove")}
        </Button>
      )}
    </li>
  );
}

interface RemoveSheetProps {
  entry: NeverSeeEntry | null;
  onRemoved: () => Promise<void>;
  onClose: () => void;
}

function RemoveSheet({ entry, onRemoved, onClose }: RemoveSheetProps) {
  const t = useTranslations("neverSee");
  const remove = useAction(async () => {
    if (!entry) return;
    await api(removeNeverSee, { id: entry.id });
    banner.notify("neverSee.removed");
    await onRemoved();
  });
  return (
    <Sheet isOpen={entry !== null} onClose={onClose} title={t("confirmRemove")}>
      <p>{t("removeText")}</p>
      <div className={dialogStyles.actions}>
        <Button kind="danger" busy={remove.isBusy} onClick={remove.start}>
          {t("remove")}
        </Button>
        <Button kind="quiet" onClick={onClose}>
          {t("cancel")}
        </Button>
      </div>
    </Sheet>
  );
}
