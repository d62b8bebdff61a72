import type { Migration } from "kysely/migration";
import * as accounts from "./0001_accounts.ts";
import * as profiles from "./0002_profiles.ts";
import * as discovery from "./0003_discovery.ts";
import * as messaging from "./0004_messaging.ts";
import * as membership from "./0005_membership.ts";
import * as safety from "./0006_safety.ts";
import * as limits from "./0008_limits.ts";
import * as socialAccounts from "./0009_social_accounts.ts";
import * as erasure from "./0010_erasure.ts";
import * as clearPictures from "./0012_clear_pictures.ts";
import * as safetyMore from "./0013_safety.ts";
import * as suggestions from "./0015_suggestions.ts";
import * as orders from "./0017_orders.ts";
import * as unsentMessages from "./0020_unsent_messages.ts";
import * as notifications from "./0022_notifications.ts";
import * as sentLinks from "./0024_sent_links.ts";
import * as referral from "./0025_referral.ts";
import * as restorations from "./0027_restorations.ts";
import * as newMatches from "./0030_new_matches.ts";
import * as readReceiptOptOuts from "./0031_read_receipt_opt_outs.ts";
import * as leftTransfers from "./0032_left_transfers.ts";
import * as previousMessages from "./0033_previous_messages.ts";
import * as morePictures from "./0034_more_pictures.ts";
import * as repliesAndMutes from "./0036_replies_and_mutes.ts";
import * as suggestedRanges from "./0037_suggested_ranges.ts";
import * as moderation from "./0040_moderation.ts";

/** All migrations in order; only forward. */
export const migrations: Record<string, Migration> = {
  "0001_accounts": accounts,
  "0002_profiles": profiles,
  "0003_discovery": discovery,
  "0004_messaging": messaging,
  "0005_membership": membership,
  "0006_safety": safety,
  "0008_limits": limits,
  "0009_social_accounts": socialAccounts,
  "0010_erasure": erasure,
  "0012_clear_pictures": clearPictures,
  "0013_safety": safetyMore,
  "0015_suggestions": suggestions,
  "0017_orders": orders,
  "0020_unsent_messages": unsentMessages,
  "0022_notifications": notifications,
  "0024_sent_links": sentLinks,
  "0025_referral": referral,
  "0027_restorations": restorations,
  "0030_new_matches": newMatches,
  "0031_read_receipt_opt_outs": readReceiptOptOuts,
  "0032_left_transfers": leftTransfers,
  "0033_previous_messages": previousMessages,
  "0034_more_pictures": morePictures,
  "0036_replies_and_mutes": repliesAndMutes,
  "0037_suggested_ranges": suggestedRanges,
  "0040_moderation": moderation,
};
