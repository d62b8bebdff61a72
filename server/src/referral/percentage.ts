import { findBrokeragePercentage, setBrokeragePercentage } from "../members/members.sql.ts";
import type { AppContext } from "../platform/context.ts";

/** In percent, of purchases to come. */
export async function readFeePercentage({ db, config }: AppContext, memberId: number): Promise<number> {
  return (await findBrokeragePercentage(db, memberId)) ?? config.brokeragePercentage;
}

/** Fees keep the percentage of their purchase. @param percentage null for `BROKERAGE_PERCENTAGE` */
export async function setFeePercentage(
  { db }: AppContext,
  memberId: number,
  percentage: number | null,
): Promise<void> {
  await setBrokeragePercentage(db, memberId, percentage);
}
