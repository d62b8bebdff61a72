import { OperatorDetails } from "../../features/operator/operator-details.tsx";
import { hasPurchases } from "../../lib/page/purchases.ts";
import { InfoPage } from "./info-page.tsx";

/** Has the fields that Japan's Specified Commercial Transactions Act asks for, in all languages. */
export default function Provider() {
  return (
    <InfoPage page="provider" skippedSections={hasPurchases() ? 0 : 1}>
      <OperatorDetails />
    </InfoPage>
  );
}
