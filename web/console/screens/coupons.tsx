import { useState } from "react";
import { useFetcher, useLoaderData, type ActionFunctionArgs } from "react-router";
import { type ConsoleCoupon, createCoupon, disableCoupon, getCoupons } from "@alcove/contract/console";
import { Button } from "../../app/ui/button.tsx";
import { Empty } from "../../app/ui/empty.tsx";
import { TextField } from "../../app/ui/forms/field.tsx";
import { api, attempt, formInput } from "../api.ts";
import { Heading } from "../frame.tsx";
import { dayOf, planOf, ProblemNote, Table } from "../parts.tsx";
import { useTexts } from "../texts/use-texts.ts";
import { classNames } from "../../app/ui/class-names.ts";
import consoleStyles from "../console.module.css";
import cardStyles from "../../app/ui/styles/card.module.css";

export const loadCoupons = () => api(getCoupons, {});

export async function changeCoupons({ request }: ActionFunctionArgs) {
  const data = await request.formData();
  return attempt(async () =>
    data.get("intent") === "disable"
      ? api(disableCoupon, formInput<typeof disableCoupon>(data))
      : api(createCoupon, formInput<typeof createCoupon>(data)),
  );
}

export function CouponsScreen() {
  const t = useTexts();
  const { coupons } = useLoaderData<typeof loadCoupons>();
  const creation = useFetcher<typeof changeCoupons>();
  const created = creation.data?.problem === null ? creation.data.value : undefined;
  const ids = created?.ids ?? [];
  const rows = coupons.map((coupon) => [
    <span className={consoleStyles.mono} key="id">
      {coupon.id}
    </span>,
    [t("plan", planOf(coupon)), coupon.value].filter(Boolean).join(" · "),
    `${coupon.used} / ${coupon.max_uses}`,
    lastDayOf(coupon),
    t(`state_${coupon.state}`),
    coupon.state === "usable" && <Disable key="disable" {...coupon} />,
  ]);
  return (
    <>
      <Heading>{t("coupons")}</Heading>
      <div className={classNames(consoleStyles.columns, consoleStyles.case)}>
        <section className={cardStyles.card}>
          {coupons.length === 0 ? (
            <Empty title={t("noCoupons")} />
          ) : (
            <Table
              head={[t("couponId"), t("grants"), t("used"), t("validUntil"), t("state"), ""]}
              rows={rows}
            />
          )}
        </section>
        <div className="stack">
          <NewCodes ids={ids} />
          <NewCoupon key={coupons.length} fetcher={creation} />
        </div>
      </div>
    </>
  );
}

/** A coupon ends with its last day in UTC. */
const lastDayOf = ({ expires_at }: ConsoleCoupon): string =>
  dayOf(new Date(Date.parse(expires_at) - 1).toISOString());

/** Asks once, in place: a disabled coupon cannot return. */
function Disable({ id }: ConsoleCoupon) {
  const t = useTexts();
  const fetcher = useFetcher<typeof changeCoupons>();
  const [isAsking, setAsking] = useState(false);
  if (!isAsking)
    return (
      <Button kind="quiet" small onClick={() => setAsking(true)}>
        {t("disable")}
      </Button>
    );
  return (
    <fetcher.Form method="post">
      <input type="hidden" name="id" value={id} />
      <Button type="submit" name="intent" value="disable" kind="danger" small busy={fetcher.state !== "idle"}>
        {t("disableSure", { id })}
      </Button>
    </fetcher.Form>
  );
}

/** One a line, to copy. */
function NewCodes({ ids }: { ids: readonly string[] }) {
  const t = useTexts();
  if (ids.length === 0) return null;
  return (
    <section className={classNames(cardStyles.card, "stack-sm")} role="status">
      <h2>{t("newCodes")}</h2>
      <pre className={classNames(consoleStyles.quote, consoleStyles.mono)}>{ids.join("\n")}</pre>
    </section>
  );
}

function NewCoupon({ fetcher }: { fetcher: ReturnType<typeof useFetcher<typeof changeCoupons>> }) {
  const t = useTexts();
  const problem = fetcher.data?.problem;
  const error = (name: string) => problem?.fields[name];
  return (
    <section className={classNames(cardStyles.card, "stack")}>
      <h2>{t("newCoupon")}</h2>
      <ProblemNote problem={problem} />
      <fetcher.Form method="post" className="stack" noValidate>
        <TextField
          label={t("couponId")}
          name="id"
          autoComplete="off"
          spellCheck={false}
          hint={t("couponIdHint")}
          error={error("id")}
        />
        <TextField label={t("couponCount")} name="count" inputMode="numeric" error={error("count")} />
        <TextField
          label={t("couponValue")}
          name="value"
          autoComplete="off"
          hint={t("couponValueHint")}
          error={error("value")}
        />
        <div className="pair">
          <TextField
            label={t("years")}
            name="year"
            inputMode="numeric"
            defaultValue="0"
            error={error("year")}
          />
          <TextField
            label={t("months")}
            name="month"
            inputMode="numeric"
            defaultValue="1"
            error={error("month")}
          />
        </div>
        <TextField
          label={t("maxUses")}
          name="max_uses"
          inputMode="numeric"
          defaultValue="1"
          error={error("max_uses")}
        />
        <TextField label={t("expiresOn")} name="expires_on" type="date" error={error("expires_on")} />
        <Button type="submit" name="intent" value="create" block busy={fetcher.state !== "idle"}>
          {t("create")}
        </Button>
      </fetcher.Form>
    </section>
  );
}
