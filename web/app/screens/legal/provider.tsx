import { hasPurchases } from "../../lib/page/purchases.ts";
import { InfoPage } from "./info-page.tsx";

/** Has the fields of Japan's Specified Commercial Transactions Act, in all languages. */
export default function Provider() {
  return <InfoPage page="provider" skippedSections={hasPurchases() ? 0 : 1} isOperatorFirst />;
}
