import { useFetcher, useLoaderData, type ActionFunctionArgs } from "react-router";
import {
  approveRequest,
  getRequests,
  type OperatorRequest,
  rejectRequest,
} from "@alcove/contract/console-requests";
import { Button } from "../../app/ui/button.tsx";
import { classNames } from "../../app/ui/class-names.ts";
import { Empty } from "../../app/ui/empty.tsx";
import { TextField } from "../../app/ui/forms/field.tsx";
import cardStyles from "../../app/ui/styles/card.module.css";
import { api, attempt, formInput } from "../api.ts";
import { CommandText } from "../command-text.tsx";
import { Heading } from "../frame.tsx";
import { dayOf, Facts, ProblemNote } from "../parts.tsx";
import { useTexts } from "../texts/use-texts.ts";

export const loadRequests = () => api(getRequests, {});

export async function decideRequest({ request }: ActionFunctionArgs) {
  const data = await request.formData();
  const call = data.get("intent") === "approve" ? approveRequest : rejectRequest;
  return attempt(() => api(call, formInput<typeof approveRequest>(data)));
}

export function ApprovalsScreen() {
  const t = useTexts();
  const { requests } = useLoaderData<typeof loadRequests>();
  return (
    <>
      <Heading>{t("approvals")}</Heading>
      <p className="muted small">{t("approvalsLead")}</p>
      {requests.length === 0 ? (
        <Empty title={t("noApprovals")} text={t("noApprovalsText")} />
      ) : (
        <ul className="stack">
          {requests.map((request) => (
            <Request key={request.id} {...request} />
          ))}
        </ul>
      )}
    </>
  );
}

function Request({ is_own: isOwn, is_approved: isApproved, ...request }: OperatorRequest) {
  const t = useTexts();
  const fetcher = useFetcher<typeof decideRequest>();
  const problem = fetcher.data?.problem;
  const name = request.operator ?? t("commandLine");
  const facts = [
    [t("about"), request.user_id],
    [t("details"), request.details],
    [t("why"), request.reason],
  ].filter(([, value]) => Boolean(value)) as [string, string][];
  return (
    <li className={classNames(cardStyles.card, "stack")}>
      <h2>
        <CommandText command={request.action} />
      </h2>
      <p className="hint">{t("askedBy", { name, day: dayOf(request.on) })}</p>
      {isApproved && <p className="hint">{t("approved", { day: dayOf(request.until) })}</p>}
      {facts.length > 0 && <Facts facts={facts} />}
      {isOwn && !isApproved && <p className="hint">{t("ownRequest")}</p>}
      <ProblemNote problem={problem} />
      <fetcher.Form method="post" className="stack" noValidate>
        <input type="hidden" name="id" value={request.id} />
        <TextField
          label={t("changeReason")}
          name="reason"
          autoComplete="off"
          error={problem?.fields["reason"]}
        />
        <div className="row">
          {!isOwn && !isApproved && (
            <Button type="submit" name="intent" value="approve" busy={fetcher.state !== "idle"}>
              {t("approve")}
            </Button>
          )}
          <Button type="submit" name="intent" value="reject" kind="quiet" busy={fetcher.state !== "idle"}>
            {t(isOwn ? "takeBack" : "reject")}
          </Button>
        </div>
      </fetcher.Form>
    </li>
  );
}
