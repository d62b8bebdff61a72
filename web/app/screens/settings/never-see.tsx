import { useRef, useState } from "react";
import { useTranslations } from "use-intl";
import type { ParsedOf } from "@alcove/contract/call";
import { NEVER_SEE } from "@alcove/contract/limits";
import { addNeverSee, getNeverSee, removeNeverSee, type NeverSeeEntry } from "@alcove/contract/safety";
import { api } from "../../lib/api.ts";
import { banner } from "../../lib/banner.ts";
import { dayText } from "../../lib/dates.ts";
import { errorOf, readForm } from "../../lib/forms/form.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { useFormErrors } from "../../lib/forms/use-form-errors.ts";
import { Button } from "../../ui/button.tsx";
import { Sheet } from "../../ui/dialog.tsx";
import { Empty } from "../../ui/empty.tsx";
import { TextArea } from "../../ui/forms/field.tsx";
import { Form } from "../../ui/forms/form.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { Route } from "./+types/never-see";

export async function clientLoader() {
  const { entries } = await api(getNeverSee, {});
  return { entries, now: new Date() };
}

/** The never-see list. Its entries are hashes, so the screen cannot show the person of an entry. */
export default function NeverSeeScreen({ loaderData }: Route.ComponentProps) {
  const t = useTranslations("neverSee");
  const title = useTranslations("settings")("neverSee");
  const [entries, setEntries] = useState<readonly NeverSeeEntry[]>(loaderData.entries);
  const [removing, setRemoving] = useState<NeverSeeEntry | null>(null);
  const list = useRef<HTMLHeadingElement>(null);

  return (
    <div className="stack">
      <div className="screen-head">
        <h1>{title}</h1>
      </div>
      <p>{t("intro")}</p>
      <p className="muted">{t("effect")}</p>
      <AddForm onAdded={setEntries} />
      <h2 ref={list} tabIndex={-1}>
        {t("entries")}
      </h2>
      <p className="muted">{t("kept")}</p>
      {entries.length === 0 && <Empty title={t("none")} />}
      {entries.length > 0 && (
        <ul className="list">
          {entries.map((entry) => (
            <Row key={entry.id} entry={entry} now={loaderData.now} onRemove={() => setRemoving(entry)} />
          ))}
        </ul>
      )}
      <RemoveSheet
        entry={removing}
        onRemoved={(left) => {
          setEntries(left);
          setRemoving(null);
          list.current?.focus(); // the button disappears with its row
        }}
        onClose={() => setRemoving(null)}
      />
    </div>
  );
}

function AddForm({ onAdded }: { onAdded: (entries: readonly NeverSeeEntry[]) => void }) {
  const t = useTranslations("neverSee");
  const form = useRef<HTMLFormElement>(null);
  const formErrors = useFormErrors(form);
  const add = useAction(async (entry: ParsedOf<typeof addNeverSee>) => {
    onAdded((await api(addNeverSee, entry)).entries);
    form.current?.reset();
    banner.notify("neverSee.added");
  }, formErrors.showFailure);

  function handleSubmit(element: HTMLFormElement) {
    const parsed = readForm(addNeverSee.input, new FormData(element));
    if (!parsed.ok) return formErrors.markInvalid(parsed.errors);
    formErrors.clear();
    add.start(parsed.value);
  }

  const { perDay: aDay, total: inAll, minDays: days } = NEVER_SEE;
  return (
    <Form className="stack" ref={form} noValidate onSubmit={handleSubmit}>
      <TextArea
        label={t("who")}
        name="who"
        rows={3}
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        hint={t("whoHint", { aDay, inAll, days })}
        error={errorOf(formErrors.errors, "who")}
      />
      <Button type="submit" block busy={add.isBusy}>
        {t("add")}
      </Button>
    </Form>
  );
}

/** The server knows only the day in UTC. */
const utcDayText = (at: string): string => at.slice(0, 10).replaceAll("-", "/");

function Row({ entry, now, onRemove }: { entry: NeverSeeEntry; now: Date; onRemove: () => void }) {
  const t = useTranslations("neverSee");
  const removableAt = new Date(entry.removable_at);
  const isFixed = removableAt > now;
  return (
    <li className="list-row">
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
  onRemoved: (left: readonly NeverSeeEntry[]) => void;
  onClose: () => void;
}

function RemoveSheet({ entry, onRemoved, onClose }: RemoveSheetProps) {
  const t = useTranslations("neverSee");
  const remove = useAction(async () => {
    if (!entry) return;
    onRemoved((await api(removeNeverSee, { id: entry.id })).entries);
    banner.notify("neverSee.removed");
  });
  return (
    <Sheet isOpen={entry !== null} onClose={onClose} title={t("confirmRemove")}>
      <p>{t("removeText")}</p>
      <div className="sheet__actions">
        <Button kind="danger" busy={remove.isBusy} onClick={remove.start}>
          {t("remove")}
        </Button>
        <Button kind="ghost" onClick={onClose}>
          {t("cancel")}
        </Button>
      </div>
    </Sheet>
  );
}
