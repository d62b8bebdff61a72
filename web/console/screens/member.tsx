import { useState } from "react";
import { useFetcher, useSearchParams, type ActionFunctionArgs } from "react-router";
import {
  findAccount,
  grantAccount,
  listSameNetwork,
  logOutAccount,
  lookUpMember,
  type MemberFacts,
  removeAccount,
  restoreAccount,
  revokeGrant,
  setPercentage,
  suspendAccount,
} from "@alcove/contract/console";
import { Button } from "../../app/ui/button.tsx";
import { SelectField, TextArea, TextField } from "../../app/ui/forms/field.tsx";
import { Segmented } from "../../app/ui/forms/segmented.tsx";
import { api, attempt, formInput, type Problem } from "../api.ts";
import { Heading } from "../frame.tsx";
import {
  dayOf,
  Facts,
  Note,
  planOf,
  ProblemNote,
  Status,
  Table,
  timeOf,
  usePaymentState,
} from "../parts.tsx";
import { useSumText, useTexts } from "../texts/use-texts.ts";
import { classNames } from "../../app/ui/class-names.ts";
import cardStyles from "../../app/ui/styles/card.module.css";
import consoleStyles from "../console.module.css";

const CALLS = {
  show: lookUpMember,
  find: findAccount,
  suspend: suspendAccount,
  restore: restoreAccount,
  grant: grantAccount,
  revoke: revokeGrant,
  percentage: setPercentage,
  logOutMember: logOutAccount,
};

/** The response stays in the memory of the page: no URL and no history holds it. */
export async function handleMember({ request }: ActionFunctionArgs) {
  const data = await request.formData();
  const intent = data.get("intent") as string;
  if (intent === "network")
    return attempt(() => api(listSameNetwork, formInput<typeof listSameNetwork>(data)));
  if (intent === "delete") return attempt(() => api(removeAccount, formInput<typeof removeAccount>(data)));
  const call = CALLS[intent as keyof typeof CALLS] as typeof grantAccount;
  return attempt(() => api(call, formInput<typeof grantAccount>(data)));
}

type LastResponse = Awaited<ReturnType<typeof handleMember>>;

const memberIn = (last: LastResponse | undefined): MemberFacts | null =>
  last?.problem === null && "member" in last.value ? last.value.member : null;

export function MemberScreen() {
  const t = useTexts();
  const look = useFetcher<typeof handleMember>();
  const change = useFetcher<typeof handleMember>();
  const [reason, setReason] = useState("");
  const [caseNo, setCaseNo] = useState(useSearchParams()[0].get("case") ?? "");
  const looked = memberIn(look.data);
  const changed = memberIn(change.data);
  const member = changed && changed.user_id === looked?.user_id ? changed : looked;
  const removed =
    change.data?.problem === null && "removed" in change.data.value ? change.data.value.removed : null;
  return (
    <>
      <Heading>{t("member")}</Heading>
      <p className="muted small">{t("memberLead")}</p>
      <LookUp look={look} reason={[reason, setReason]} caseNo={[caseNo, setCaseNo]} />
      {removed === "deleted" && <Note>{t("deleted")}</Note>}
      {member && removed !== "deleted" && (
        <div className={classNames(consoleStyles.columns, consoleStyles.case)}>
          <div className="stack">
            <Account {...member} />
            <Histories {...member} />
          </div>
          <div className="stack">
            <ChangeForm key={`${member.user_id} ${member.status}`} member={member} fetcher={change} />
            <Network
              key={member.user_id}
              userId={member.user_id}
              count={member.same_network}
              reason={reason}
              caseNo={caseNo}
            />
          </div>
        </div>
      )}
    </>
  );
}

interface LookUpProps {
  look: ReturnType<typeof useFetcher<typeof handleMember>>;
  reason: readonly [string, (value: string) => void];
  caseNo: readonly [string, (value: string) => void];
}

function LookUp({ look, reason, caseNo }: LookUpProps) {
  const t = useTexts();
  const [by, setBy] = useState<string>("show");
  const problem = look.data?.problem;
  return (
    <look.Form method="post" className={classNames(cardStyles.card, "stack")} noValidate>
      <ProblemNote problem={problem} />
      <div className={classNames(consoleStyles.columns, consoleStyles.even)}>
        <div className="stack-sm">
          <Segmented
            legend={t("findBy")}
            isLegendHidden
            name="intent"
            choices={[
              ["show", t("userId")],
              ["find", t("email")],
            ]}
            value={by}
            onChange={setBy}
          />
          <TextField
            key={by}
            label={t(by === "find" ? "email" : "userId")}
            name={by === "find" ? "email" : "userId"}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            error={problem?.fields[by === "find" ? "email" : "user_id"]}
          />
        </div>
        <div className="stack-sm">
          <TextField
            label={t("reason")}
            name="reason"
            autoComplete="off"
            value={reason[0]}
            onChange={({ target }) => reason[1](target.value)}
            error={problem?.fields["reason"]}
          />
          <TextField
            label={t("forCase")}
            name="case"
            inputMode="numeric"
            autoComplete="off"
            value={caseNo[0]}
            onChange={({ target }) => caseNo[1](target.value)}
            hint={t("forCaseHint")}
            error={problem?.fields["case"]}
          />
        </div>
      </div>
      <div>
        <Button type="submit" busy={look.state !== "idle"}>
          {t("lookUp")}
        </Button>
      </div>
    </look.Form>
  );
}

function Account(member: MemberFacts) {
  const t = useTexts();
  const sumText = useSumText();
  const { available, received, pending } = member;
  const amounts = { available, received, pending };
  const inDollars = Object.fromEntries(
    Object.entries(amounts).map(([name, value]) => [name, sumText(`${value.toFixed(2)} USD`)]),
  );
  return (
    <section className={classNames(cardStyles.card, "stack")}>
      <h2 className={consoleStyles.userId}>{member.user_id}</h2>
      <Facts
        facts={[
          [t("status"), <Status key="status" status={member.status} />],
          ...(member.suspension_reason === null
            ? []
            : ([[t("suspensionReason"), member.suspension_reason]] as const)),
          [t("since"), dayOf(member.created_at)],
          [t("paidUntil"), member.paid_until === null ? t("free") : timeOf(member.paid_until)],
          [t("sessions"), String(member.sessions)],
          [t("balance"), t("balances", inDollars)],
          [t("percentage"), `${member.percentage}%`],
        ]}
      />
    </section>
  );
}

function Histories({ grants, orders, transfers, reports }: MemberFacts) {
  const t = useTexts();
  const sumText = useSumText();
  const stateText = usePaymentState();
  const lists = [
    [
      "grants",
      grants.map((one) => [
        timeOf(one.at),
        t("plan", planOf(one)),
        one.is_revoked ? t("revoked") : (one.coupon ?? one.source),
      ]),
    ],
    ["orders", orders.map((one) => [timeOf(one.at), sumText(one.price), stateText(one.state)])],
    ["transfers", transfers.map((one) => [dayOf(one.at), sumText(one.amount), stateText(one.state)])],
    [
      "reports",
      reports.map((one) => [
        dayOf(one.on),
        t(one.side === "made" ? "reportMade" : "reportReceived"),
        one.outcome ? t(`decision_${one.outcome}`) : t("open"),
      ]),
    ],
  ] as const;
  return lists
    .filter(([, rows]) => rows.length > 0)
    .map(([name, rows]) => (
      <section className={classNames(cardStyles.card, "stack-sm")} key={name}>
        <h2>{t(name)}</h2>
        <Table head={[t("day"), t("what"), t("state")]} rows={rows} />
      </section>
    ));
}

function ChangeForm({
  member,
  fetcher,
}: {
  member: MemberFacts;
  fetcher: ReturnType<typeof useFetcher<typeof handleMember>>;
}) {
  const t = useTexts();
  const other = member.status === "active" ? "suspend" : "restore";
  const [chosen, setIntent] = useState<string>(other);
  const problem = fetcher.data?.problem;
  const gifts = member.grants.filter((one) => one.source !== "order" && !one.is_revoked).reverse();
  // The last gift may be gone.
  const intent = chosen === "revoke" && gifts.length === 0 ? other : chosen;
  return (
    <section className={classNames(cardStyles.card, "stack")}>
      <h2>{t("change")}</h2>
      {fetcher.state === "idle" && fetcher.data?.problem === null && (
        <Note>{t("removed" in fetcher.data.value ? "waitsForSecond" : "done")}</Note>
      )}
      <ProblemNote problem={problem} />
      <fetcher.Form method="post" className="stack" noValidate>
        <input type="hidden" name="userId" value={member.user_id} />
        <SelectField
          label={t("action")}
          name="intent"
          choices={[
            [other, t(other)],
            ["grant", t("grant")],
            ...(gifts.length > 0 ? ([["revoke", t("revoke")]] as const) : []),
            ["percentage", t("setPercentage")],
            ["logOutMember", t("logOutMember")],
            ["delete", t("delete")],
          ]}
          value={intent}
          onChange={({ target }) => setIntent(target.value)}
        />
        {intent === "revoke" && <GiftField gifts={gifts} />}
        {intent === "percentage" && (
          <TextField
            label={t("percentage")}
            name="percentage"
            inputMode="numeric"
            defaultValue={String(member.percentage)}
            hint={t("percentageHint")}
            error={problem?.fields["percentage"]}
          />
        )}
        {intent === "grant" && <PlanFields problem={problem} />}
        {intent === "suspend" && <p className="hint">{t("suspendNowHint")}</p>}
        {intent === "delete" && <p className="hint">{t("deleteHint")}</p>}
        <TextArea label={t("changeReason")} name="reason" rows={3} error={problem?.fields["reason"]} />
        <Button
          type="submit"
          kind={["suspend", "revoke", "delete"].includes(intent) ? "danger" : "primary"}
          block
          busy={fetcher.state !== "idle"}
        >
          {t("apply")}
        </Button>
      </fetcher.Form>
    </section>
  );
}

function GiftField({ gifts }: { gifts: MemberFacts["grants"] }) {
  const t = useTexts();
  return (
    <SelectField
      label={t("gift")}
      name="grantId"
      choices={gifts.map((one) => [
        one.id,
        [timeOf(one.at), t("plan", planOf(one)), one.coupon].filter(Boolean).join(" · "),
      ])}
    />
  );
}

function PlanFields({ problem }: { problem: Problem | null | undefined }) {
  const t = useTexts();
  // A repeated press is the same grant.
  const [grantId] = useState(() => crypto.randomUUID());
  return (
    <div className="pair">
      <input type="hidden" name="grantId" value={grantId} />
      <TextField
        label={t("years")}
        name="year"
        inputMode="numeric"
        defaultValue="0"
        error={problem?.fields["year"]}
      />
      <TextField
        label={t("months")}
        name="month"
        inputMode="numeric"
        defaultValue="1"
        error={problem?.fields["month"]}
      />
    </div>
  );
}

/** Listed on demand only, for the reason of the look. */
function Network({
  userId,
  count,
  reason,
  caseNo,
}: Record<"userId" | "reason" | "caseNo", string> & { count: number }) {
  const t = useTexts();
  const list = useFetcher<typeof handleMember>();
  const members =
    list.data?.problem === null && "members" in list.data.value ? list.data.value.members : null;
  return (
    <section className={classNames(cardStyles.card, "stack")}>
      <h2>{t("network")}</h2>
      <Facts facts={[[t("sameNetwork"), String(count)]]} />
      <ProblemNote problem={list.data?.problem} />
      {members ? (
        <Table
          head={[t("userId"), t("since"), t("status")]}
          rows={members.map((one) => [
            one.user_id,
            dayOf(one.on),
            <Status key="status" status={one.status} />,
          ])}
        />
      ) : (
        count > 1 && (
          <list.Form method="post">
            <input type="hidden" name="userId" value={userId} />
            <input type="hidden" name="reason" value={reason} />
            <input type="hidden" name="case" value={caseNo} />
            <Button type="submit" name="intent" value="network" kind="quiet" busy={list.state !== "idle"}>
              {t("listNetwork")}
            </Button>
          </list.Form>
        )
      )}
    </section>
  );
}
