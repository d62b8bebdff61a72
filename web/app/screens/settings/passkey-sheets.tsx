import { useTranslations } from "use-intl";
import { type Passkey, type Passkeys, renamePasskey } from "@alcove/contract/passkeys";
import type { User } from "@alcove/contract/users";
import {
  FIELD_NAME,
  ReAuthenticationField,
  useProofCheck,
} from "../../features/re-authentication/re-authentication-field.tsx";
import { pickErrors } from "../../lib/forms/form.ts";
import { useForm } from "../../lib/forms/use-form.ts";
import { banner } from "../../lib/page/banner.ts";
import { Sheet } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/forms/field.tsx";
import { Form } from "../../ui/forms/form.tsx";
import { SheetButtons } from "../../ui/sheet-buttons.tsx";

/** A change that the member confirms. */
export type Change =
  | { readonly intent: "second-on" | "second-off" }
  | { readonly intent: "codes"; readonly replaces: boolean }
  | { readonly intent: "remove"; readonly passkey: Passkey; readonly isLast: boolean };

interface ConfirmChangeProps {
  user: User;
  change: Change | null;
  onDone: (value: unknown) => void;
  onClose: () => void;
}

export function ConfirmChange({ user, change, onDone, onClose }: ConfirmChangeProps) {
  const { title, texts } = useChangeTexts(change);
  return (
    <Sheet isOpen={change !== null} onClose={onClose} title={title}>
      {texts.map((text) => (
        <p key={text} className="muted">
          {text}
        </p>
      ))}
      {change && <ChangeForm user={user} change={change} onDone={onDone} onClose={onClose} />}
    </Sheet>
  );
}

function ChangeForm({ user, change, onDone, onClose }: ConfirmChangeProps & { change: Change }) {
  const t = useTranslations("passkeys");
  const form = useForm<unknown>({
    check: useProofCheck(user),
    complete(fields) {
      fields.set("intent", change.intent);
      if (change.intent === "remove") fields.set("id", change.passkey.id);
    },
    onDone(value) {
      if (change.intent === "remove") banner.notify("passkeys.removed");
      onDone(value);
    },
  });
  const isRemoval = change.intent === "remove";
  return (
    <Form {...form.props} className="stack">
      <ReAuthenticationField user={user} errors={form.errorsOf(FIELD_NAME)} />
      <SheetButtons
        isBusy={form.isBusy}
        confirm={t(isRemoval ? "remove" : "continue")}
        cancel={t(isRemoval ? "keep" : "cancel")}
        onCancel={onClose}
        isDanger={isRemoval}
      />
    </Form>
  );
}

function useChangeTexts(change: Change | null): { title: string; texts: readonly string[] } {
  const t = useTranslations("passkeys");
  if (change === null) return { title: "", texts: [] };
  if (change.intent === "remove")
    return {
      title: t("confirmRemove", { name: change.passkey.name }),
      texts: [t("removeText"), ...(change.isLast ? [t("removeLastText")] : [])],
    };
  if (change.intent === "codes")
    return {
      title: t(change.replaces ? "replaceCodes" : "makeCodes"),
      texts: change.replaces ? [t("replaceText")] : [],
    };
  if (change.intent === "second-off") return { title: t("secondOff"), texts: [] };
  return { title: t("second"), texts: [t("secondHint")] };
}

export function RenameSheet({ passkey, onClose }: { passkey: Passkey | null; onClose: () => void }) {
  const t = useTranslations("passkeys");
  return (
    <Sheet isOpen={passkey !== null} onClose={onClose} title={t("rename")}>
      {passkey && <RenameForm passkey={passkey} onClose={onClose} />}
    </Sheet>
  );
}

function RenameForm({ passkey: { id, name }, onClose }: { passkey: Passkey; onClose: () => void }) {
  const t = useTranslations("passkeys");
  const form = useForm<Passkeys>({
    check: (fields) => pickErrors(renamePasskey, fields, ["name"]),
    complete(fields) {
      fields.set("intent", "rename");
      fields.set("id", id);
    },
    onDone() {
      banner.notify("passkeys.renamed");
      onClose();
    },
  });
  return (
    <Form {...form.props} className="stack">
      <TextField
        label={t("name")}
        name="name"
        defaultValue={name}
        autoComplete="off"
        {...form.errorsOf("name")}
        required
      />
      <SheetButtons isBusy={form.isBusy} confirm={t("save")} cancel={t("cancel")} onCancel={onClose} />
    </Form>
  );
}
