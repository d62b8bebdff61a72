import { useState } from "react";
import { type ActionFunctionArgs, Link, useFetcher, useLoaderData } from "react-router";
import {
  addPasskey,
  getPasskeys,
  type ListedPasskey,
  removePasskey,
  startConfirmation,
} from "@alcove/contract/console";
import { Button, buttonClass } from "../../app/ui/button.tsx";
import { TextField } from "../../app/ui/forms/field.tsx";
import { api, attempt } from "../api.ts";
import { Heading } from "../frame.tsx";
import { dayOf, Note, ProblemNote, Table } from "../parts.tsx";
import { provePasskey } from "../../app/ui/webauthn.ts";
import { useLanguage, useTexts } from "../texts/use-texts.ts";
import { classNames } from "../../app/ui/class-names.ts";
import consoleStyles from "../console.module.css";
import cardStyles from "../../app/ui/styles/card.module.css";

export const loadPasskeys = () => api(getPasskeys, {});

export async function changePasskeys({ request }: ActionFunctionArgs) {
  const id = (await request.formData()).get("id") as string | null;
  return attempt(async () => {
    const { options } = await api(startConfirmation, id === null ? {} : { except: id });
    const confirmation = await provePasskey(options);
    if (!confirmation) return { isCancelled: true, token: null };
    if (id === null) return { isCancelled: false, token: (await api(addPasskey, { confirmation })).token };
    await api(removePasskey, { id, confirmation });
    return { isCancelled: false, token: null };
  });
}

export function PasskeysScreen() {
  const t = useTexts();
  const { passkeys } = useLoaderData<typeof loadPasskeys>();
  const rows = passkeys.map((passkey) => [
    passkey.kind ? t(`kind_${passkey.kind}`) : "–",
    dayOf(passkey.added_on),
    passkey.used_on ? dayOf(passkey.used_on) : "–",
    passkeys.length > 1 && <Remove key="remove" {...passkey} />,
  ]);
  return (
    <>
      <Heading>{t("passkeys")}</Heading>
      <div className={classNames(consoleStyles.columns, consoleStyles.case)}>
        <section className={classNames(cardStyles.card, "stack")}>
          {passkeys.length === 1 && <Note>{t("onlyPasskey")}</Note>}
          <Table head={[t("kind"), t("addedOn"), t("usedOn"), ""]} rows={rows} />
        </section>
        <NewPasskey key={passkeys.length} />
      </div>
    </>
  );
}

/** Asks once, in place. Another passkey confirms, so that the last one stays. */
function Remove({ id }: ListedPasskey) {
  const t = useTexts();
  const fetcher = useFetcher<typeof changePasskeys>();
  const [isAsking, setAsking] = useState(false);
  if (!isAsking)
    return (
      <Button kind="quiet" small onClick={() => setAsking(true)}>
        {t("remove")}
      </Button>
    );
  return (
    <fetcher.Form method="post" className="stack-sm">
      <input type="hidden" name="id" value={id} />
      <Outcome of={fetcher.data} />
      <Button type="submit" kind="danger" small busy={fetcher.state !== "idle"}>
        {t("removeSure")}
      </Button>
    </fetcher.Form>
  );
}

/** Shows the link for this browser and as a text for another device. */
function NewPasskey() {
  const t = useTexts();
  const language = useLanguage();
  const fetcher = useFetcher<typeof changePasskeys>();
  const token = fetcher.data?.problem === null ? fetcher.data.value.token : null;
  return (
    <section className={classNames(cardStyles.card, "stack")}>
      <h2>{t("sparePasskey")}</h2>
      <p className="muted small">{t("spareLead")}</p>
      <Outcome of={fetcher.data} />
      {token === null ? (
        <fetcher.Form method="post">
          <Button type="submit" block busy={fetcher.state !== "idle"}>
            {t("addPasskey")}
          </Button>
        </fetcher.Form>
      ) : (
        <>
          <Link
            className={buttonClass({ kind: "primary", block: true })}
            to={{ pathname: `/${language}/enrol`, hash: token }}
          >
            {t("registerHere")}
          </Link>
          <TextField
            label={t("linkElsewhere")}
            hint={t("linkHint")}
            readOnly
            value={`${location.origin}/enrol#${token}`}
            onFocus={(event) => event.target.select()}
          />
        </>
      )}
    </section>
  );
}

function Outcome({ of }: { of: Awaited<ReturnType<typeof changePasskeys>> | undefined }) {
  const t = useTexts();
  if (of?.problem === null && of.value.isCancelled) return <Note kind="danger">{t("logInCancelled")}</Note>;
  return <ProblemNote problem={of?.problem} />;
}
