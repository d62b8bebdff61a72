import { createECDH, randomBytes } from "node:crypto";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { calls, type Call } from "@alcove/contract";
import { getOptions, getUser, likeUser, passUser } from "@alcove/contract/discovery";
import { getLastDms, sendDm } from "@alcove/contract/messaging";
import { buildRequest } from "@alcove/contract/request";
import { addNeverSee, blockUser, unblockUser } from "@alcove/contract/safety";
import { readZip } from "@alcove/test-services/zip";
import { match } from "../testing/match.ts";
import { shownTo } from "../testing/member-calls.ts";
import { ownService, serviceForTest } from "../testing/service-for-test.ts";
import { fileOf, quarters } from "../testing/sample-pictures.ts";
import { eventually, type TestMember, type TestService } from "../testing/test-service.ts";

const UNKNOWN = "01890a5d-ac96-774b-bcce-b302099a8057";
const NOBODY = ["nobody@example.com", "nobody-here"];
const TARO = ["taro@example.com", "taro"];

/** An input of each member call, about Taro where it is about anyone. */
async function inputsAboutTaro(): Promise<Record<string, Record<string, unknown>>> {
  const picture = fileOf(await quarters().png().toBuffer());
  return {
    getOwnUser: {},
    confirmPassword: { password: "not this one" },
    getWsTicket: {},
    getExportTicket: {},
    exportData: {},
    getSessions: {},
    endSession: { sessionId: UNKNOWN },
    endOtherSessions: {},
    confirmSession: { sessionId: UNKNOWN },
    saveSessions: { tells_new_devices: true },
    getStoredData: {},
    getInvitations: {},
    getCorrections: {},
    requestCorrection: { sex: "female", reason: "A slip." },
    getEmail: {},
    requestEmailCode: { email: "elsewhere@example.com" },
    changeEmail: { email: "elsewhere@example.com", code: "00000000", password: "not this one" },
    chooseEmail: { address: "before" },
    stopNewEmail: {},
    getPasskeys: {},
    startPasskey: {},
    addPasskey: { name: "Phone", response: {} },
    setSecondFactor: { second_factor: false },
    renamePasskey: { id: UNKNOWN, name: "Phone" },
    removePasskey: { id: UNKNOWN },
    createRecoveryCodes: {},
    saveLocation: { location: "139.7671,35.6812" },
    saveLocationPrecision: { location_precision: "town" },
    saveArrival: { arrival: "evening", arrival_zone: "Asia/Tokyo" },
    changePassword: {
      password: "not this one",
      newPassword: "quiet-evenings-8",
      newPasswordConfirmation: "quiet-evenings-8",
    },
    saveFilter: { search_max_range: 400 },
    saveVisibility: { only_liked: false },
    getPosts: {},
    addPost: { text: "On the river.", visibility: "public" },
    changePost: { id: UNKNOWN, text: "On the lake." },
    removePost: { id: UNKNOWN },
    getQuestion: {},
    answerQuestion: { text: "A kingfisher.", visibility: "public" },
    getHiddenAreas: {},
    removeHiddenArea: { id: UNKNOWN },
    addHiddenArea: { location: "10.7,35.6", radius: 5 },
    saveProfile: { hobby: "Kites" },
    previewIcon: { icon: picture },
    addPicture: { icon: picture },
    changePicture: { picture: "/media/i/nothing", icon_process: true },
    orderPictures: { pictures: "/media/i/nothing,/media/i/none" },
    removePicture: { picture: "/media/i/nothing" },
    getPlaceAdvice: {},
    getOptions: { ids: "taro" },
    passUser: { unlikedId: "taro" },
    neverAgain: { userId: "nobody" },
    undoPass: {},
    likeUser: { likedId: "taro" },
    getLikes: {},
    takeBackLike: { userId: "nobody" },
    getUser: { userId: "taro" },
    getClearIconViewers: {},
    showClearIcon: { userId: "taro" },
    hideClearIcon: { userId: "taro" },
    getLastDms: {},
    getDms: { friendId: "taro" },
    sendDm: { receiverId: "taro", description: "Good evening.", file: picture },
    readDm: { friendId: "taro" },
    removeEnded: { id: UNKNOWN },
    unmatch: { userId: "nobody" },
    saveConversation: { friendId: "taro", pictures: false },
    getReading: {},
    saveReading: { shows_reading: true, shows_typing: true },
    showTyping: { friendId: "taro" },
    muteConversation: { friendId: "taro", muted: true },
    unsendDm: { friendId: "taro", dmId: UNKNOWN },
    reactToDm: { dmId: UNKNOWN, reaction: "heart" },
    getNotifications: {},
    saveNotifications: { push: true, digest: false },
    subscribePush: {
      endpoint: "https://push.example.com/send/hanako",
      p256dh: createECDH("prime256v1").generateKeys("base64url"),
      auth: randomBytes(16).toString("base64url"),
    },
    unsubscribePush: { endpoint: "https://push.example.com/send/hanako" },
    subscribeNativePush: { service: "apns", token: "ab".repeat(32) },
    unsubscribeNativePush: { service: "apns", token: "ab".repeat(32) },
    createLoginCode: {},
    sawNews: {},
    reportUser: { userId: "taro", reason: "other", detail: "something" },
    pressThreat: { userId: "nobody" },
    getThreatEvidence: { number: "100000000001" },
    unblockUser: { userId: "taro" },
    blockUser: { userId: "taro" },
    getBlocks: {},
    getNeverSee: {},
    addNeverSee: { who: "somebody-else" },
    noteNeverSee: { id: UNKNOWN, note: "my sister" },
    removeNeverSee: { id: UNKNOWN },
    getReports: {},
    contestReport: { number: "100000000001", text: "Please look at it once more." },
    getCase: {},
    appealCase: { text: "I sent that to a friend who asked for it." },
    getNotices: {},
    readNotices: {},
    getLooks: {},
    getHelp: {},
    askHelp: { text: "Where is the invoice?" },
    getConsent: {},
    giveConsent: { terms_version: "2000-01-01", privacy_version: "2000-01-01" },
    getAgeCheck: {},
    sendAgeCheck: { file: picture },
    getRegions: {},
    createOrder: { currency: "USD", price: 110, year: 1, month: 3 },
    captureOrder: { order_id: UNKNOWN },
    getOrder: { order_id: UNKNOWN },
    getOrders: {},
    createBankOrder: { currency: "USD", price: 10, year: 0, month: 1, country: "DE" },
    getReceipt: { order_id: UNKNOWN },
    previewWithdrawal: { order_id: UNKNOWN },
    withdraw: { order_id: UNKNOWN },
    checkCoupon: { coupon_id: "NOBODY-HERE" },
    useCoupon: { coupon_id: "NOBODY-HERE" },
    getBrokerageFee: {},
    getTransfers: {},
    transferBrokerage: { email: "payee@example.com", price: 10 },
    deleteAccount: {},
  };
}

interface Scenario {
  readonly paid: boolean;
  /** What happens before Hanako names people. */
  before(people: { hanako: TestMember; taro: TestMember; jiro: TestMember }): Promise<unknown>;
}

const SCENARIOS: Record<string, Scenario> = {
  "who had not met": { paid: true, before: async () => {} },
  "and the named one had liked both": {
    paid: true,
    before: ({ taro }) => taro.call(likeUser, { likedId: "hanako" }),
  },
  "and the named one had liked both free members": {
    paid: false,
    before: ({ taro }) => taro.call(likeUser, { likedId: "hanako" }),
  },
  "and the named one had passed both": {
    paid: true,
    before: ({ taro }) => taro.call(passUser, { unlikedId: "hanako" }),
  },
  "who were matched": {
    paid: true,
    before: async ({ hanako, taro }) => {
      await match(hanako, taro);
      await taro.call(sendDm, { receiverId: "hanako", description: "Good evening." });
    },
  },
  "and the named one had blocked both": {
    paid: true,
    before: ({ taro }) => taro.call(blockUser, { userId: "hanako" }),
  },
  "who had blocked and unblocked the named one": {
    paid: true,
    before: async ({ hanako, taro }) => {
      await hanako.call(blockUser, { userId: "taro" });
      await hanako.call(unblockUser, { userId: "taro" });
      await taro.call(likeUser, { likedId: "hanako" });
    },
  },
};

const QUICK = "who were matched";

/** Starts a service that equals the other one in everything but the names: member numbers, clock and secret places too. */
async function startTwin({ paid, before }: Scenario, names: readonly string[]) {
  const service = await ownService({ config: { passwordPepper: "a pepper for both twins" } });
  service.clock.set("2026-05-05T12:00:00Z");
  const hanako = await service.member("hanako", { paid, sex: "female" });
  const taro = await service.member("taro", { paid: true, sex: "male" });
  const jiro = await service.member("jiro", { paid: true, sex: "male" });
  for (const name of ["saburo", "shiro", "goro"]) await service.member(name, { sex: "male" });
  await jiro.call(likeUser, { likedId: "hanako" });
  await before({ hanako, taro, jiro });
  const events = await hanako.socket("/ws/events");
  const shown = await responseOf(hanako, getOptions, {}); // a card of the day, or a deck
  for (const who of names) await hanako.call(addNeverSee, { who });
  await eventually(async () => expect(await pendingLookups(service)).toBe(0));
  return { hanako, jiro, events, shown };
}

async function pendingLookups({ db }: TestService): Promise<number> {
  const { rows } = await sql`
    select from graphile_worker.jobs where task_identifier = 'resolve_never_see'`.execute(db);
  return rows.length;
}

/**
 * Status and body, without the parts that are random in every response: ids, tickets and signed URLs, and the order of
 * entries of one moment.
 */
async function responseOf(member: TestMember, call: Call, input: Record<string, unknown>): Promise<string> {
  const { path, ...request } = buildRequest(call, input as never);
  const response = await member.fetch(path, request);
  const isZip = response.headers.get("content-type") === "application/zip";
  const body = isZip
    ? (await readZip(new Uint8Array(await response.arrayBuffer()))).get("data.json")!.toString()
    : await response.text();
  return `${call.name} ${response.status} ${comparable(body).replaceAll(/"(?:email|handle)"/g, "…")}`;
}

function comparable(text: string): string {
  // Flutes of processed pictures, numbers of reports and recovery codes are random.
  return text
    .replaceAll(/"(?:[A-Z]{4}-){2}[A-Z]{4}"/g, "…")
    .replaceAll(/("number":")\d+/g, "$1")
    .replaceAll(/(data:image\/\w+;base64,)[\w+/=]+/g, "$1")
    .replace(/[\w-]{30,}(?:\.[\w-]+)*/g, "…");
}

for (const [what, scenario] of Object.entries(SCENARIOS))
  test(
    `responds to every call alike for a member who named another and one who named nobody, ${what}`,
    {
      tags: what === QUICK ? [] : "long",
      timeout: 120_000,
    },
    async () => {
      const twins = await Promise.all([TARO, NOBODY].map((names) => startTwin(scenario, names)));
      const inputs = await inputsAboutTaro();
      const memberCalls = calls.filter(({ access }) => access === "member");
      expect(Object.keys(inputs).toSorted()).toEqual(memberCalls.map(({ name }) => name).toSorted());

      const transcripts = await Promise.all(
        twins.map(async ({ hanako, jiro, shown }) => {
          const responses = [shown];
          for (const [name, input] of Object.entries(inputs)) {
            const call = memberCalls.find((one) => one.name === name)!;
            responses.push(await responseOf(hanako, call, input));
            if (call.method === "GET") continue;
            for (const [look, at] of [
              [getOptions, {}],
              [getUser, { userId: "taro" }],
              [getLastDms, {}],
            ] as const) {
              responses.push(await responseOf(hanako, look, at));
            }
            // A second account of the same person must not see a difference either.
            responses.push(await responseOf(jiro, getOptions, {}));
          }
          return responses;
        }),
      );
      expect(transcripts[0]).toEqual(transcripts[1]);
      const frames = twins.map(({ events }) => comparable(JSON.stringify(events.frames)));
      expect(frames[0]).toEqual(frames[1]);
    },
  );

test("shows a popular member at the same place when those who like them have named them", async () => {
  const orders = await Promise.all(
    [TARO, NOBODY].map(async (names) => {
      const service = await serviceForTest();
      service.clock.set("2026-05-05T12:00:00Z");
      const viewer = await service.member("viewer", { paid: true, sex: "female" });
      await service.member("taro", { sex: "male" });
      for (let i = 0; i < 8; i++) await service.member(`man_${i}`, { sex: "male", at: [139.2, 35.7] });
      const before = await shownTo(viewer);
      for (let i = 0; i < 20; i++) {
        const fan = await service.member(`fan_${i}`, { paid: true, sex: "female", search_max_age: 140 });
        await fan.call(addNeverSee, { who: names.join() });
        await eventually(async () => expect(await pendingLookups(service)).toBe(0));
        await fan.call(likeUser, { likedId: "taro" });
      }
      await service.db.deleteFrom("decks").execute();
      return { before, after: await shownTo(viewer) };
    }),
  );

  expect(orders[0]).toEqual(orders[1]);
  expect(orders[0]!.after).not.toEqual(orders[0]!.before);
});
