import type { Migration } from "kysely/migration";
import * as members from "./0001_members.ts";
import * as platform from "./0002_platform.ts";
import * as accounts from "./0003_accounts.ts";
import * as profiles from "./0004_profiles.ts";
import * as media from "./0005_media.ts";
import * as discovery from "./0006_discovery.ts";
import * as messaging from "./0007_messaging.ts";
import * as notifications from "./0008_notifications.ts";
import * as membership from "./0009_membership.ts";
import * as referral from "./0010_referral.ts";
import * as safety from "./0011_safety.ts";
import * as cases from "./0012_cases.ts";
import * as moderation from "./0013_moderation.ts";
import * as operator from "./0014_operator.ts";
import * as ageChecks from "./0015_age_checks.ts";
import * as statistics from "./0016_statistics.ts";
import * as help from "./0017_help.ts";
import * as notices from "./0018_notices.ts";
import * as announcements from "./0019_announcements.ts";
import * as passkeys from "./0021_passkeys.ts";
import * as mailboxes from "./0022_mailboxes.ts";
import * as data from "./0023_data.ts";

export const migrations: Record<string, Migration> = {
  "0001_members": members,
  "0002_platform": platform,
  "0003_accounts": accounts,
  "0004_profiles": profiles,
  "0005_media": media,
  "0006_discovery": discovery,
  "0007_messaging": messaging,
  "0008_notifications": notifications,
  "0009_membership": membership,
  "0010_referral": referral,
  "0011_safety": safety,
  "0012_cases": cases,
  "0013_moderation": moderation,
  "0014_operator": operator,
  "0015_age_checks": ageChecks,
  "0016_statistics": statistics,
  "0017_help": help,
  "0018_notices": notices,
  "0019_announcements": announcements,
  "0021_passkeys": passkeys,
  "0022_mailboxes": mailboxes,
  "0023_data": data,
};
