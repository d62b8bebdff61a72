import { useRevalidator } from "react-router";
import { useTranslations } from "use-intl";
import type { OwnEmail } from "@alcove/contract/mailboxes";
import { useForm } from "../../lib/forms/use-form.ts";
import { focusHeading } from "../../lib/page/focus-heading.ts";
import { banner } from "../../lib/page/banner.ts";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/forms/form.tsx";
import cardStyles from "../../ui/styles/card.module.css";

type Choice = NonNullable<OwnEmail["choice"]>;

/** After a link in an email has stopped the account. */
export function EmailChoice({ choice }: { choice: Choice }) {
  const t = useTranslations("ownEmail");
  return (
    <section className="stack">
      <h2>{t("choiceTitle")}</h2>
      <p>{t("choiceLead")}</p>
      <Address side="before" label={t("choiceBefore")} email={choice.before} />
      {choice.after !== null && <Address side="after" label={t("choiceAfter")} email={choice.after} />}
    </section>
  );
}

function Address({ side, label, email }: { side: "before" | "after"; label: string; email: string }) {
  const t = useTranslations("ownEmail");
  const { revalidate } = useRevalidator();
  const form = useForm<unknown>({
    check: () => ({}),
    async onDone() {
      focusHeading(); // the buttons disappear
      banner.notify("ownEmail.chosen");
      await revalidate();
    },
  });
  return (
    <Form {...form.props} className={cardStyles.card}>
      <div className="stack">
        <p>
          <span className="hint">{label}</span>
          <strong dir="auto" id={`address-${side}`}>
            {email}
          </strong>
        </p>
        <input type="hidden" name="intent" value="choose" />
        <input type="hidden" name="address" value={side} />
        <Button type="submit" kind="quiet" block busy={form.isBusy} aria-describedby={`address-${side}`}>
          {t("choose")}
        </Button>
      </div>
    </Form>
  );
}
