import { serverNow } from "../../lib/dates-and-units/server-clock.ts";
import { useEffect, useRef, useState } from "react";
import { type ActionFunctionArgs, useLoaderData, useRevalidator } from "react-router";
import { useTranslations } from "use-intl";
import { NEVER_SEE } from "@alcove/contract/limits";
import type { ValidationErrors } from "@alcove/contract/fields";
import {
  addNeverSee,
  getNeverSee,
  type NeverSeeEntry,
  type NeverSeePerson,
  noteNeverSee,
  parseNeverSee,
  removeNeverSee,
} from "@alcove/contract/safety";
import { api } from "../../lib/api/api.ts";
import { banner } from "../../lib/page/banner.ts";
import { dayText, timeText } from "../../lib/dates-and-units/dates.ts";
import { pickErrors } from "../../lib/forms/form.ts";
import { actionResult } from "../../lib/forms/form-result.ts";
import { submitForm } from "../../lib/forms/submit-form.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { useForm } from "../../lib/forms/use-form.ts";
import type { ShownErrors } from "../../lib/forms/use-form-errors.ts";
import { Button } from "../../ui/button.tsx";
import { Sheet } from "../../ui/dialog.tsx";
import { Empty } from "../../ui/empty.tsx";
import { TextArea, TextField } from "../../ui/forms/field.tsx";
import { Form } from "../../ui/forms/form.tsx";
import { Icon } from "../../ui/icon.tsx";
import { SettingHead } from "./setting-head.tsx";
import { classNames } from "../../ui/class-names.ts";
import { SheetButtons } from "../../ui/sheet-buttons.tsx";
import buttonStyles from "../../ui/button.module.css";
import listStyles from "../../ui/styles/list.module.css";

export async function loader() {
  const { entries } = await api(getNeverSee, {});
  return { entries, now: new Date(serverNow()) };
}

export async function action({ request }: ActionFunctionArgs) {
  const form = await request.formData();
  return actionResult(await submitForm(form.has("id") ? noteNeverSee : addNeverSee, form));
}

/** The never-see list. Its entries are hashes: only the member's own note names a person. */
export default function NeverSeeScreen() {
  const { entries, now } = useLoaderData<typeof loader>();
  const t = useTranslations("neverSee");
  const title = useTranslations("settings")("neverSee");
  const { revalidate } = useRevalidator();
  const [removing, setRemoving] = useState<NeverSeeEntry | null>(null);
  const [noting, setNoting] = useState<NeverSeeEntry | null>(null);
  const list = useRef<HTMLHeadingElement>(null);
  useRevalidationAt(firstUndoEnd(entries));
  const undo = useAction(async (id: string) => {
    await api(removeNeverSee, { id });
    await revalidate();
    banner.notify("neverSee.undone");
    list.current?.focus();
  });

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
        {entries.length === 0 && <Empty title={t("none")} text={t("noneText")} />}
        {entries.length > 0 && (
          <ul className={listStyles.list}>
            {entries.map((entry) => (
              <Row
                key={entry.id}
                entry={entry}
                now={now}
                onNote={() => setNoting(entry)}
                onUndo={() => undo.start(entry.id)}
                onRemove={() => setRemoving(entry)}
              />
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
      <NoteSheet entry={noting} onClose={() => setNoting(null)} />
    </div>
  );
}

function firstUndoEnd(entries: readonly NeverSeeEntry[]): number | null {
  const ends = entries.flatMap(({ undo_until: until }) => (until === null ? [] : [Date.parse(until)]));
  return ends.length === 0 ? null : Math.min(...ends);
}

/** Loads the screen again at a time of the server's clock. */
function useRevalidationAt(at: number | null): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (at === null) return undefined;
    const timer = setTimeout(() => void revalidate(), Math.max(0, at - serverNow()));
    return () => clearTimeout(timer);
  }, [at, revalidate]);
}

function whoOf(fields: FormData): string {
  const who = fields.get("who");
  return typeof who === "string" ? who : "";
}

/** A name of two words would become two entries. */
function checkWho(fields: FormData): ValidationErrors {
  const who = whoOf(fields);
  const hasInnerSpace = who.split("\n").some((line) => /[^\s,;、，；]\s+[^\s,;、，；]/u.test(line));
  return hasInnerSpace ? { who: ["email_or_user_id"] } : pickErrors(addNeverSee, fields, ["who", "note"]);
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
        <NoteField errors={form.errorsOf("note")} />
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
      <p>{t("confirmText", { minutes: NEVER_SEE.undoMinutes, days: NEVER_SEE.minDays })}</p>
      <Form onSubmit={onConfirm}>
        <SheetButtons isBusy={isBusy} confirm={t("confirm")} cancel={t("change")} onCancel={onClose} />
      </Form>
    </Sheet>
  );
}

/** The server knows only the day in UTC. */
const utcDayText = (at: string): string => at.slice(0, 10).replaceAll("-", "/");

interface RowProps {
  entry: NeverSeeEntry;
  now: Date;
  onNote: () => void;
  onUndo: () => void;
  onRemove: () => void;
}

function Row({ entry, now, onNote, onUndo, onRemove }: RowProps) {
  const t = useTranslations("neverSee");
  const { id, kind, note, undo_until: undoUntil } = entry;
  const removableAt = new Date(entry.removable_at);
  const isFixed = undoUntil === null && removableAt > now;
  const facts = [...(note === null ? [] : [t(kind)]), t("addedAt", { date: utcDayText(entry.added_at) })];
  return (
    <li className={classNames(listStyles.row, listStyles.wordy)}>
      <Icon name={kind === "email" ? "mail" : "user"} />
      <span id={`entry-${id}`}>
        <bdi>{note ?? t(kind)}</bdi>
        <span className="hint">{facts.join(" · ")}</span>
        {isFixed && <span className="hint">{t("removableFrom", { date: dayText(removableAt) })}</span>}
        {undoUntil !== null && (
          <span className="hint">{t("undoUntil", { time: timeText(new Date(undoUntil)) })}</span>
        )}
        <button
          type="button"
          className={classNames(buttonStyles.linkButton, listStyles.below)}
          aria-describedby={`entry-${id}`}
          onClick={onNote}
        >
          {note === null ? t("addNote") : t("changeNote")}
        </button>
      </span>
      {!isFixed && (
        <Button
          kind="quiet"
          small
          aria-describedby={`entry-${id}`}
          onClick={undoUntil === null ? onRemove : onUndo}
        >
          {undoUntil === null ? t("remove") : t("undo")}
        </Button>
      )}
    </li>
  );
}

function NoteField({ errors, value }: { errors: ShownErrors; value?: string }) {
  const t = useTranslations("neverSee");
  return (
    <TextField
      label={t("note")}
      name="note"
      optional
      autoComplete="off"
      hint={t("noteHint")}
      defaultValue={value}
      {...errors}
    />
  );
}

function NoteSheet({ entry, onClose }: { entry: NeverSeeEntry | null; onClose: () => void }) {
  const t = useTranslations("neverSee");
  return (
    <Sheet isOpen={entry !== null} onClose={onClose} title={t("noteTitle")}>
      {entry && <NoteForm entry={entry} onClose={onClose} />}
    </Sheet>
  );
}

function NoteForm({ entry, onClose }: { entry: NeverSeeEntry; onClose: () => void }) {
  const t = useTranslations("neverSee");
  const form = useForm<unknown>({
    check: (fields) => pickErrors(noteNeverSee, fields, ["note"]),
    complete: (fields) => fields.set("id", entry.id),
    onDone: onClose,
  });
  return (
    <Form {...form.props} className="stack">
      <NoteField errors={form.errorsOf("note")} value={entry.note ?? ""} />
      <SheetButtons isBusy={form.isBusy} confirm={t("saveNote")} cancel={t("cancel")} onCancel={onClose} />
    </Form>
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
      <SheetButtons
        isBusy={remove.isBusy}
        onConfirm={remove.start}
        confirm={t("remove")}
        cancel={t("cancel")}
        onCancel={onClose}
        isDanger
      />
    </Sheet>
  );
}
