import { useEffect, useEffectEvent, useState } from "react";
import { requestSignUpCode } from "@alcove/contract/accounts";
import { pickErrors } from "../../lib/forms/form.ts";
import { useForm } from "../../lib/forms/use-form.ts";
import { type Agreements, type Draft, draft } from "./draft.ts";

const AGREEMENTS = ["privacy", "terms"] as const;

/** The form of the first step. It waits for both agreements. */
export function useEmailForm(stored: Draft, onSent: (email: string) => void) {
  const [agreed, setAgreed] = useState<Agreements>(stored.agreed);
  const canContinue = agreed.privacy && agreed.terms;
  const form = useForm<true>({
    check: (fields) => pickErrors(requestSignUpCode, fields, ["email"]),
    complete: (fields) => fields.set("intent", "send"),
    onChange: remember,
    onDone: () => onSent(draft.get().email),
  });
  const { ref } = form.props;

  function remember(element: HTMLFormElement) {
    const fields = new FormData(element);
    const email = fields.get("email");
    const ticked = { privacy: fields.has("privacy"), terms: fields.has("terms") };
    setAgreed(ticked);
    draft.update({ email: typeof email === "string" ? email.trim() : "", agreed: ticked });
  }

  // The built page knows no draft, and fields may be filled in before hydration.
  const fillIn = useEffectEvent(() => {
    const { email, agreed: before } = draft.get();
    const { elements } = ref.current!;
    const field = (name: string) => elements.namedItem(name) as HTMLInputElement;
    field("email").value ||= email;
    for (const name of AGREEMENTS) field(name).checked ||= before[name];
    if (field("email").value !== "" || before.privacy) remember(ref.current!);
    setAgreed({ privacy: field("privacy").checked, terms: field("terms").checked });
  });
  useEffect(() => fillIn(), []);

  function handleSubmit(element: HTMLFormElement) {
    if (canContinue) return form.props.onSubmit(element);
    element.querySelector<HTMLInputElement>("input[type=checkbox]:not(:checked)")?.focus();
  }

  return { ...form, props: { ...form.props, onSubmit: handleSubmit }, canContinue };
}
