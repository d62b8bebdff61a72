import { beforeAll, expect, test } from "vitest";
import { deleteAccount, exportData } from "@alcove/contract/accounts";
import { unmatch } from "@alcove/contract/discovery";
import { VOICE, VOICE_TEXT_MAX } from "@alcove/contract/limits";
import { getDms, getLastDms, saveConversation, sendDm, unsendDm } from "@alcove/contract/messaging";
import { reportUser } from "@alcove/contract/safety";
import { allTranslations } from "@alcove/i18n/all";
import { readZip } from "@alcove/test-services/zip";
import { dumpTables, encodingsOf, placesWith, readFiles } from "../testing/data-traces.ts";
import { forgetDeletedMembers, readOpenReports, readReportPicture } from "../testing/cases.ts";
import { hanakoAndTaro } from "../testing/match.ts";
import { chunkOf, toneSamples, voiceFile, wavOf } from "../testing/sample-voices.ts";
import { fileOf, quarters } from "../testing/sample-pictures.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import {
  eventually,
  expectError,
  testService,
  type TestMember,
  type TestService,
} from "../testing/test-service.ts";

const speak = async (from: TestMember, to: TestMember, words: string | null = null, bytes = wavOf()) =>
  (await from.call(sendDm, { receiverId: to.user_id, voice: voiceFile(bytes), voice_text: words })).dm;
const history = async (me: TestMember, other: TestMember) =>
  (await me.call(getDms, { friendId: other.user_id })).dms;
const bytesAt = async (member: TestMember, path: string) =>
  Buffer.from(await (await member.fetch(path)).arrayBuffer());

/** Of the tests that need no other members, rows or processes. */
let shared: TestService;
let pairCount = 0;
beforeAll(async () => {
  shared = await testService();
  rejected = await newPair();
});
const newPair = () => hanakoAndTaro(shared, pairCount++);
let rejected: Awaited<ReturnType<typeof newPair>>;

test("plays a voice note to both members of the match, with its length, its text and its real peaks", async () => {
  const { hanako, taro } = await newPair();

  const sent = await speak(hanako, taro, "I am at the station.");

  const [seen] = await history(taro, hanako);
  for (const dm of [sent, seen!])
    expect(dm).toMatchObject({
      description: null,
      file: null,
      voice: expect.stringMatching(/^\/media\/m\/[\w-]+$/),
      voice_seconds: 2,
      voice_text: "I am at the station.",
    });
  const response = await taro.fetch(seen!.voice!);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "audio/wav"]);
  expect(Buffer.from(await response.arrayBuffer())).toEqual(wavOf());
  const peaks = seen!.voice_peaks!;
  expect(peaks).toHaveLength(40);
  expect(peaks.at(-1)).toBe(15);
  expect(peaks).toEqual(peaks.toSorted((a, b) => a - b));
});

test("names a voice note in the list of conversations in the language of the member", async () => {
  const { hanako, taro } = await newPair();
  await speak(hanako, taro, "Not in the list.");

  for (const language of ["en", "ja", "zh-hans", "zh-hant"] as const) {
    const response = await taro.fetch(`/${language}${getLastDms.path}`);
    const { dms } = (await response.json()) as { dms: { description: string }[] };
    expect(dms[0]?.description).toBe(allTranslations[language].messages.voiceNote);
  }
});

test("keeps of a file the samples only", async () => {
  const { hanako, taro } = await newPair();
  const before = chunkOf("LIST", Buffer.from("INFOISFT\x0b\0\0\0SecretPhone\0", "latin1"));
  const after = Buffer.concat([
    chunkOf("bext", Buffer.alloc(602, "Tokyo")),
    chunkOf("odd ", Buffer.from("x")),
  ]);

  const dm = await speak(hanako, taro, null, wavOf({ chunks: { before, after } }));

  const kept = await bytesAt(taro, dm.voice!);
  expect(kept).toEqual(wavOf());
  expect(kept.toString("latin1")).not.toMatch(/SecretPhone|Tokyo/);
});

const ogg = Buffer.concat([Buffer.from("OggS\0\x02"), Buffer.alloc(2_000, 7)]);
const aac = Buffer.concat([Buffer.from([0xff, 0xf1, 0x50, 0x80, 0x04, 0x3f, 0xfc]), Buffer.alloc(2_000, 7)]);
const inFormat = (format: number, bits = 16) => {
  const wav = wavOf();
  wav.writeUInt16LE(format, 20);
  wav.writeUInt16LE(bits, 34);
  return wav;
};
const withLength = (wav: Buffer, more: number) => {
  wav.writeUInt32LE(wav.readUInt32LE(40) + more, 40);
  return wav;
};
const inRate = (rate: number) => wavOf({ seconds: 0.5, rate });

test.each([
  ["an empty file", Buffer.alloc(0)],
  ["Ogg", ogg],
  ["AAC", aac],
  ["MP4", Buffer.concat([Buffer.from("\0\0\0\x18ftypM4A "), Buffer.alloc(500)])],
  ["a large file that is no WAV", Buffer.alloc(3_000_000, 7)],
  ["another kind of RIFF", Buffer.concat([Buffer.from("RIFF\x10\0\0\0AVI LIST"), Buffer.alloc(16)])],
  ["a WAV without samples", wavOf({ seconds: 0 })],
  ["a WAV that ends early", wavOf().subarray(0, 20_000)],
  ["a WAV without its format", Buffer.concat([wavOf().subarray(0, 12), wavOf().subarray(36)])],
  ["half a sample", wavOf().subarray(0, -1)],
  ["half a sample in a whole chunk", withLength(wavOf(), -1)],
  ["floating point", inFormat(3, 32)],
  ["A-law", inFormat(6, 8)],
  ["8 bits", inFormat(1, 8)],
  ["MP3 in a WAV", inFormat(0x55)],
  ["three channels", wavOf({ seconds: 0.5, channels: 3 })],
  ["4 kHz", inRate(4_000)],
  ["96 kHz", inRate(96_000)],
])("rejects %s as no voice note", async (_, bytes) => {
  const { hanako, taro } = rejected;

  expect((await expectError(speak(hanako, taro, null, bytes), "not_a_voice_note")).status).toBe(415);
  expect(await history(taro, hanako)).toEqual([]);
});

test("takes a minute and 2 MB, and no more", async () => {
  const { hanako, taro } = await newPair();
  const { maxSeconds, maxBytes } = VOICE;
  const filler = (length: number) => ({ after: chunkOf("junk", Buffer.alloc(length)) });
  const whole = wavOf({ seconds: 1, chunks: filler(maxBytes - 44 - 32_000 - 8) });

  expect((await speak(hanako, taro, null, wavOf({ seconds: maxSeconds }))).voice_seconds).toBe(60);
  expect(whole).toHaveLength(maxBytes);
  await speak(hanako, taro, null, whole);
  for (const tooLong of [
    wavOf({ seconds: maxSeconds + 0.1 }),
    wavOf({ seconds: maxSeconds + 1, rate: 8_000 }),
    wavOf({ seconds: 12, channels: 2, rate: 48_000 }),
    wavOf({ seconds: 1, chunks: filler(maxBytes) }),
    wavOf({ seconds: maxSeconds, channels: 2, rate: 48_000 }), // more than any upload may have
  ])
    expect((await expectError(speak(hanako, taro, null, tooLong), "voice_too_long")).status).toBe(422);
});

test("rejects a text of the note that is too long, a picture beside it, and a text without it", async () => {
  const { hanako, taro } = await newPair();
  const receiverId = taro.user_id;
  const picture = fileOf(await quarters().png().toBuffer());

  await expectError(speak(hanako, taro, "あ".repeat(VOICE_TEXT_MAX + 1)), "invalid_input");
  await speak(hanako, taro, "あ".repeat(VOICE_TEXT_MAX));
  await expectError(hanako.call(sendDm, { receiverId, voice: voiceFile(), file: picture }), "invalid_input");
  await expectError(hanako.call(sendDm, { receiverId, voice_text: "Only words." }), "empty_message");
  expect(await history(taro, hanako)).toHaveLength(1);
});

test("stores a voice note once when its sender repeats the client id", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  const send = () =>
    hanako.call(sendDm, {
      receiverId: "taro",
      voice: voiceFile(),
      clientId: "5f0c1a2e-7d0b-4a8f-9c53-0d7a1b2c3d4e",
    });

  const [first, second] = [await send(), await send()];

  expect(second.dm.id).toBe(first.dm.id);
  expect(await history(taro, hanako)).toHaveLength(1);
  expect(await service.db.selectFrom("media_files").selectAll().execute()).toHaveLength(1);
});

test("takes voice notes from a match who may send no pictures, and quotes them", async () => {
  const { hanako, taro } = await newPair();
  await taro.call(saveConversation, { friendId: hanako.user_id, pictures: false });

  const note = await speak(hanako, taro, "Hello.");
  const { dm } = await taro.call(sendDm, {
    receiverId: hanako.user_id,
    description: "Yes.",
    replyId: note.id,
  });

  expect(dm.reply).toEqual({
    id: note.id,
    sender_id: hanako.user_id,
    description: null,
    has_image: false,
    has_voice: true,
  });
});

test("hides a voice note from strangers, and from both members once their match has ended", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  const jiro = await service.member("jiro", { sex: "male" });
  const { voice } = await speak(hanako, taro);
  const [seen] = await history(taro, hanako);

  await expectError(
    jiro.call(sendDm, { receiverId: "hanako", voice: voiceFile() }),
    "conversation_not_found",
  );
  await expectError(jiro.call(getDms, { friendId: "hanako" }), "conversation_not_found");
  expect((await taro.fetch(seen!.voice!)).status).toBe(200);
  await taro.call(unmatch, { userId: "hanako", goodbye: null });
  for (const [member, path] of [
    [taro, seen!.voice!],
    [hanako, voice!],
  ] as const)
    expect((await member.fetch(path)).status).toBe(404);
});

test("encrypts sound and text, and leaves neither behind when the member deletes their account", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  const words = "The key is under the third stone.";
  await speak(hanako, taro, words);
  const sound = toneSamples().subarray(40_000, 40_064);
  const places = async () => [
    ...(await readFiles(service.dataDir)),
    ...(await dumpTables(service.databaseUrl)),
  ];
  const mediaFiles = async () =>
    (await readFiles(service.dataDir)).filter(({ name }) => name.includes("/media/")).length;

  expect(placesWith([...encodingsOf(words), sound], await places())).toEqual([]);
  expect(await mediaFiles()).toBe(1);

  await hanako.call(deleteAccount, {});
  await forgetDeletedMembers(service);
  await eventually(async () => {
    expect(await mediaFiles()).toBe(0);
    expect(await service.db.selectFrom("media_files").selectAll().execute()).toEqual([]);
  });
});

test("exports the own voice notes as files, with their texts, in the JSON and on the page", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  await speak(hanako, taro, "I am at the station.");
  await speak(taro, hanako, "His own.");

  const archive = await hanako.fetch(`/en${exportData.path}`);
  const files = await readZip(new Uint8Array(await archive.arrayBuffer()));

  const name = [...files.keys()].find((each) => each.endsWith(".wav"))!;
  expect([...files.keys()].filter((each) => each.includes("/"))).toEqual([name]);
  expect(Buffer.from(files.get(name)!)).toEqual(wavOf());
  const text = (each: string) => Buffer.from(files.get(each)!).toString();
  expect(JSON.parse(text("data.json"))).toMatchObject({
    messages_sent: [
      { to: "taro", text: null, voice: name, voice_seconds: 2, voice_text: "I am at the station." },
    ],
  });
  expect(text("index.html")).toContain(`<audio src="${name}" controls preload="none"></audio>`);
  expect(text("index.html")).not.toContain("His own.");
});

test("keeps a reported voice note for the operator, also after its sender took it back", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  const { id } = await speak(taro, hanako, "You will regret it.");
  const [seen] = await history(hanako, taro);

  await taro.call(unsendDm, { friendId: "hanako", dmId: id });

  expect(await history(hanako, taro)).toEqual([]);
  expect((await hanako.fetch(seen!.voice!)).status).toBe(404);
  await hanako.call(reportUser, { userId: "taro", reason: "harassment", dmId: id });
  const [report] = await readOpenReports(service.ctx);
  expect(report?.message).toMatchObject({ text: null, hasImage: true });
  expect(await readReportPicture(service.ctx, report!)).toEqual(wavOf());
});
