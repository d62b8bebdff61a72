import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
  useRevalidator,
} from "react-router";
import { useTranslations } from "use-intl";
import { getOwnUser } from "@alcove/contract/accounts";
import { getBrokerageFee, getInvitations, getTransfers, transferBrokerage } from "@alcove/contract/referral";
import { submitProof } from "../../features/re-authentication/re-authentication-field.tsx";
import { api } from "../../lib/api/api.ts";
import { actionResult } from "../../lib/forms/form-result.ts";
import { submitForm } from "../../lib/forms/submit-form.ts";
import { requirePurchases } from "../../lib/page/purchases.ts";
import { Amounts } from "./amounts.tsx";
import { Invitation, useInvitationLink } from "./invitation.tsx";
import { InvitationCard } from "./invitation-card.tsx";
import { TransferForm } from "./transfer-form.tsx";
import { TransferList } from "./transfer-list.tsx";
import screenHeadStyles from "../../ui/styles/screen-head.module.css";

export async function loader({ params }: LoaderFunctionArgs) {
  requirePurchases(params.lang!);
  const [{ user }, { transfers }, { joined }] = await Promise.all([
    api(getOwnUser, {}),
    api(getTransfers, {}),
    api(getInvitations, {}),
  ]);
  // Read after the transfers, so that it contains the amount of a returned transfer.
  const balance = await api(getBrokerageFee, {});
  return { user, balance, transfers, joined };
}

/** Confirms who the member is, then transfers. */
export async function action({ request }: ActionFunctionArgs) {
  const form = await request.formData();
  if (form.get("intent") === "transfer") return actionResult(await submitForm(transferBrokerage, form));
  return actionResult(await submitProof(form));
}

/** Only a transfer changes the data. */
export function shouldRevalidate({ formData, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return formData?.get("intent") === "confirm" ? false : defaultShouldRevalidate;
}

export default function BrokerageFee() {
  const { user, balance, transfers, joined } = useLoaderData<typeof loader>();
  const ts = useTranslations("settings");
  const { revalidate } = useRevalidator();
  const link = useInvitationLink(user);
  return (
    <div className="stack-lg">
      <div className="stack">
        <div className={screenHeadStyles.head}>
          <h1>{ts("brokerageFee")}</h1>
        </div>
        <Invitation user={user} link={link} joined={joined} />
      </div>
      <Amounts balance={balance} />
      <TransferForm balance={balance} user={user} onRejected={() => void revalidate()} />
      {transfers.length > 0 && <TransferList transfers={transfers} />}
      <InvitationCard link={link} />
    </div>
  );
}
