import type { ParsedOf, ResponseOf } from "@alcove/contract";
import type { getConsent, giveConsent as giveConsentCall } from "@alcove/contract/consent";
import { lockMember } from "../../members/locks.ts";
import * as rows from "../../members/members.sql.ts";
import { utcDay } from "../../platform/clock.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { AppContext, MemberRef } from "../../platform/context.ts";
import { ApiError, throwIfInvalid } from "../../platform/errors.ts";
import {
  type Document,
  documents,
  newestVersions,
  type Versions,
  versionInForce,
  versionsAfter,
} from "../../members/legal-versions.ts";

export interface Agreed extends Versions {
  readonly at: string;
}

interface StoredConsent {
  readonly document: Document;
  readonly version: string;
  readonly at: string;
}

export function agreeNow(ctx: Pick<AppContext, "config" | "clock">): Agreed {
  return { ...newestVersions(ctx.config), at: ctx.clock.now().toISOString() };
}

export async function firstConsents(ctx: AppContext, memberId: number, agreed: Agreed) {
  const consents = documents.map((document) => ({ document, version: agreed[document], at: agreed.at }));
  return {
    terms_version: agreed.terms,
    privacy_version: agreed.privacy,
    encrypted_consents: await encryptConsents(ctx, memberId, consents),
  };
}

export async function readConsentStatus(
  ctx: AppContext,
  me: MemberRef,
): Promise<ResponseOf<typeof getConsent>> {
  const agreed = await rows.readConsents(ctx.db, me.memberId);
  if (!agreed) throw new ApiError("login_required");
  const day = utcDay(ctx.clock.now());
  const { terms, privacy } = ctx.config.legalVersions;
  return {
    terms: { version: versionInForce(terms, day), agreed_version: agreed.terms_version },
    privacy: { version: versionInForce(privacy, day), agreed_version: agreed.privacy_version },
  };
}

export async function giveConsent(
  ctx: AppContext,
  me: MemberRef,
  input: ParsedOf<typeof giveConsentCall>,
): Promise<void> {
  const given = { terms: input.terms_version, privacy: input.privacy_version };
  const now = ctx.clock.now();
  const outdated = (document: Document) =>
    mayAgreeTo(ctx, document, given[document], utcDay(now)) ? null : "version_outdated";
  throwIfInvalid({ terms_version: outdated("terms"), privacy_version: outdated("privacy") });

  await ctx.db.transaction().execute(async (tx) => {
    if (!(await lockMember(tx, me.memberId))) throw new ApiError("login_required");
    const stored = await rows.readConsents(tx, me.memberId);
    const before = await readStored(ctx, me.memberId, stored!.encrypted_consents);
    const agreed = { terms: stored!.terms_version, privacy: stored!.privacy_version };
    const isNew = (document: Document) =>
      versionsAfter(ctx.config.legalVersions[document], agreed[document]).includes(given[document]);
    const added = documents
      .filter(isNew)
      .map((document) => ({ document, version: given[document], at: now.toISOString() }));
    if (added.length === 0) return;
    const [terms_version, privacy_version] = documents.map((document) =>
      isNew(document) ? given[document] : agreed[document],
    );
    await rows.saveConsents(tx, me.memberId, {
      terms_version: terms_version!,
      privacy_version: privacy_version!,
      encrypted_consents: await encryptConsents(ctx, me.memberId, [...before, ...added]),
    });
  });
}

function mayAgreeTo(ctx: AppContext, document: Document, version: string, day: string): boolean {
  const list = ctx.config.legalVersions[document];
  const inForce = versionInForce(list, day);
  return version === inForce || versionsAfter(list, inForce).includes(version);
}

export async function exportConsents(ctx: AppContext, tx: Tx, memberId: number) {
  const stored = await rows.readConsents(tx, memberId);
  if (!stored) throw new ApiError("login_required");
  const consents = await readStored(ctx, memberId, stored.encrypted_consents);
  const newest = (of: Document) => consents.findLast(({ document }) => document === of)!;
  const { terms, privacy } = { terms: newest("terms"), privacy: newest("privacy") };
  const present = ({ version, at }: StoredConsent) => ({ version, time: at });
  return {
    terms: present(terms),
    privacy: present(privacy),
    earlier: consents
      .filter((one) => one !== terms && one !== privacy)
      .map(({ document, version, at }) => ({ document, version, time: at })),
  };
}

async function readStored(ctx: AppContext, memberId: number, encrypted: Buffer): Promise<StoredConsent[]> {
  return JSON.parse(await ctx.encryption.decrypt(encrypted, contextOf(memberId))) as StoredConsent[];
}

async function encryptConsents(
  ctx: AppContext,
  memberId: number,
  consents: readonly StoredConsent[],
): Promise<Buffer> {
  return ctx.encryption.encrypt(memberId, JSON.stringify(consents), contextOf(memberId));
}

const contextOf = (memberId: number): string => `members.encrypted_consents:${memberId}`;
