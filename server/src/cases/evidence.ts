import {
  claimMedia,
  deleteMedia,
  NOBODY,
  readMedia,
  releaseMedia,
  storeCopy,
  storeNoticePicture,
} from "../media/index.ts";
import { readKeptMessages } from "../messaging/index.ts";
import type { AppContext, MemberRef } from "../platform/context.ts";
import type { Tx } from "../platform/db/database.ts";
import { loadPeople, type Note, readableNotes } from "../profiles/index.ts";
import type { EvidenceRow } from "./evidence.sql.ts";

const CHAT_PICTURES_MAX = 200;

/** Pictures are copies under the evidence's key, in the name of its owner. */
export interface Content {
  readonly kind: "message" | "profile" | "picture" | "text" | "chat" | "note";
  readonly text: string | null;
  readonly mediaIds: readonly string[];
  readonly sentAt: string | null;
  readonly source: string | null;
  readonly voice?: VoiceFacts;
  /** Of a chat, oldest first. */
  readonly lines?: readonly ChatLine[];
}

interface VoiceFacts {
  readonly seconds: number;
  readonly text: string | null;
}

export interface ChatLine {
  readonly id: string;
  readonly text: string | null;
  readonly sentAt: string;
  /** The place of the copy in `mediaIds`. */
  readonly picture: number | null;
  readonly source: string | null;
  readonly voice?: VoiceFacts;
}

const CHAT_LINES = 500;
const CHAT_PICTURES = 50;

type Place = Pick<EvidenceRow, "case_no" | "evidence_id">;

/** The caller stores the key, or forgets it and discards the content. */
export interface Evidence {
  readonly keyId: number;
  readonly owner: number;
  readonly content: Content;
}

export interface MessageContent {
  readonly text: string | null;
  readonly mediaId: string | null;
  readonly voice: VoiceFacts | null;
  readonly createdAt: Date;
}

interface SentMessage extends MessageContent {
  readonly id: string;
}

export function voicePlaces({ mediaIds, voice, lines = [] }: Content): number[] {
  if (voice) return mediaIds.length > 0 ? [0] : [];
  return lines.flatMap((line) => (line.voice && line.picture !== null ? line.picture : []));
}

const voiceOf = ({ voice }: MessageContent): Pick<Content, "voice"> =>
  voice ? { voice: { seconds: voice.seconds, text: voice.text } } : {};

export async function copyMessage(
  ctx: AppContext,
  keyId: number,
  owner: number,
  message: MessageContent,
): Promise<Evidence> {
  const { text, mediaId, createdAt } = message;
  const mediaIds = await copyPictures(ctx, keyId, owner, mediaId === null ? [] : [mediaId]);
  return {
    keyId,
    owner,
    content: {
      kind: "message",
      text,
      mediaIds,
      sentAt: createdAt.toISOString(),
      source: mediaId,
      ...voiceOf(message),
    },
  };
}

/** The newest messages of one member to another, in the writer's name. Null without a message. */
export async function copyChat(
  ctx: AppContext,
  keyId: number,
  from: MemberRef,
  to: MemberRef,
): Promise<Evidence | null> {
  const owner = from.memberId;
  const { messages } = await readKeptMessages(ctx, owner, to.memberId);
  const sent = messages.filter(({ senderMemberId }) => senderMemberId === owner).slice(-CHAT_LINES);
  if (sent.length === 0) return null;
  return copyLines(ctx, { keyId, owner }, sent, picturesOf(sent).slice(-CHAT_PICTURES));
}

/** Messages of one sender, oldest first, with the newest pictures of them. */
export async function copySent(
  ctx: AppContext,
  owner: number,
  sent: readonly SentMessage[],
): Promise<Evidence> {
  const keyId = ctx.encryption.keys.create();
  return copyLines(ctx, { keyId, owner }, sent, picturesOf(sent).slice(-CHAT_PICTURES_MAX));
}

const picturesOf = (sent: readonly MessageContent[]): string[] =>
  sent.flatMap(({ mediaId }) => mediaId ?? []);

/** Leaves no copy behind if one fails. */
async function copyLines(
  ctx: AppContext,
  { keyId, owner }: Pick<Evidence, "keyId" | "owner">,
  sent: readonly SentMessage[],
  sources: readonly string[],
): Promise<Evidence> {
  const copies = new Map<string, string>();
  const evidence = (): Evidence => {
    const mediaIds = [...copies.values()];
    const lines = sent.map((message) => {
      const { id, text, mediaId: source, createdAt } = message;
      const copy = copies.get(source ?? "");
      const picture = copy === undefined ? null : mediaIds.indexOf(copy);
      return { id, text, sentAt: createdAt.toISOString(), picture, source, ...voiceOf(message) };
    });
    return {
      keyId,
      owner,
      content: { kind: "chat", text: null, mediaIds, sentAt: null, source: null, lines },
    };
  };
  try {
    for (const source of sources)
      for (const copy of await copyPictures(ctx, keyId, owner, [source])) copies.set(source, copy);
    return evidence();
  } catch (error) {
    await discardEvidence(ctx, evidence());
    throw error;
  }
}

/** The text and picture of a notice, with the hashes of the picture. */
export async function copyNotice(
  ctx: AppContext,
  { text, file }: { text: string; file: File | null },
  subject: string,
): Promise<{ evidence: Evidence; hashes: string[] }> {
  const keyId = ctx.encryption.keys.create();
  const stored = file && (await storeNoticePicture(ctx, keyId, file, subject));
  const mediaIds = stored ? [stored.mediaId] : [];
  const content: Content = { kind: "text", text, mediaIds, sentAt: null, source: null };
  return { evidence: { keyId, owner: NOBODY, content }, hashes: stored?.hashes ?? [] };
}

/** A picture of the profile, or the image of a message, which a decision may remove. */
export async function copyPicture(
  ctx: AppContext,
  owner: number,
  source: string,
  kind: "picture" | "message" = "picture",
): Promise<Evidence> {
  const keyId = ctx.encryption.keys.create();
  const mediaIds = await copyPictures(ctx, keyId, owner, [source]);
  return { keyId, owner, content: { kind, text: null, mediaIds, sentAt: null, source } };
}

export const copyNote = (keyId: number, owner: number, { id, text }: Note): Evidence => ({
  keyId,
  owner,
  content: { kind: "note", text, mediaIds: [], sentAt: null, source: id },
});

/** As others see it. Null for a missing account. */
export async function copyProfile(ctx: AppContext, owner: number): Promise<Evidence | null> {
  const person = (await loadPeople(ctx, [owner])).get(owner);
  if (!person) return null;
  const keyId = ctx.encryption.keys.create();
  const shown = person.pictures.map(({ media }) => media);
  const mediaIds = await copyPictures(ctx, keyId, owner, shown);
  const notes = readableNotes(ctx, person.notes, "everybody").map(({ text: note }) => note);
  const texts = [person.description, ...notes].filter((one) => one !== "");
  const text = texts.length === 0 ? null : texts.join("\n\n");
  return { keyId, owner, content: { kind: "profile", text, mediaIds, sentAt: null, source: null } };
}

export async function copyPictures(
  ctx: AppContext,
  keyId: number,
  owner: number,
  mediaIds: readonly string[],
): Promise<string[]> {
  const copies: string[] = [];
  for (const mediaId of mediaIds) {
    const copy = await storeCopy(ctx, owner, mediaId, { keyId, kind: "case" });
    if (copy) copies.push(copy.mediaId);
  }
  return copies;
}

export async function discardEvidence(ctx: AppContext, evidence: Evidence | null): Promise<void> {
  if (!evidence) return;
  ctx.encryption.keys.forget(evidence.keyId);
  for (const mediaId of evidence.content.mediaIds) await deleteMedia(ctx, evidence.owner, mediaId);
}

export async function encryptContent(
  { encryption }: AppContext,
  { keyId, content }: Evidence,
  place: Place,
): Promise<Buffer> {
  return encryption.encrypt(keyId, JSON.stringify(content), contextOf(place));
}

export async function claimEvidence(tx: Tx, ctx: AppContext, { keyId, owner, content }: Evidence) {
  await ctx.encryption.keys.store(tx, keyId);
  for (const mediaId of content.mediaIds) await claimMedia(tx, owner, mediaId);
}

export async function decryptContent({ encryption }: AppContext, row: EvidenceRow): Promise<Content | null> {
  const { encrypted_content: encrypted } = row;
  return encrypted && (JSON.parse(await encryption.decrypt(encrypted, contextOf(row))) as Content);
}

export async function releaseEvidence(tx: Tx, ctx: AppContext, row: EvidenceRow): Promise<void> {
  const content = await decryptContent(ctx, row);
  for (const mediaId of content?.mediaIds ?? []) await releaseMedia(tx, ctx, row.owner_no, mediaId);
}

export async function readPicture(ctx: AppContext, row: EvidenceRow, place = 0): Promise<Buffer | null> {
  const mediaId = (await decryptContent(ctx, row))?.mediaIds[place];
  return mediaId === undefined ? null : readMedia(ctx, row.owner_no, mediaId);
}

const contextOf = ({ case_no, evidence_id }: Place): string =>
  `case_evidence.encrypted_content:${case_no}:${evidence_id}`;
