import { expect, onTestFinished, test } from "vitest";
import { logOut } from "@alcove/contract/accounts";
import { likeUser } from "@alcove/contract/discovery";
import { readDm, sendDm, unsendDm } from "@alcove/contract/messaging";
import { blockUser } from "@alcove/contract/safety";
import { startNetworkProxy } from "@alcove/test-services/network-proxy";
import { startNats } from "@alcove/test-services/nats";
import { hanakoAndTaro } from "../testing/match.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { eventually, type TestMember, type TestService, type TestSocket } from "../testing/test-service.ts";

test("delivers a message once when its server died before publishing it and the client sends it again", async () => {
  const nats = await startNats();
  onTestFinished(nats.close);
  const line = await startNetworkProxy(nats.url);
  onTestFinished(line.close);
  const there = await serviceForTest({ config: { natsUrl: nats.url } });
  const here = await serviceForTest({ beside: there, config: { natsUrl: line.url } });
  const { hanako, taro } = await hanakoAndTaro(there);
  const his = await taro.socket("/ws/events");
  const message = { receiverId: taro.user_id, description: "Good evening", clientId: crypto.randomUUID() };
  line.cut();
  await eventually(() => expect(here.ctx.eventBus.isUp()).toBe(false));

  await here.memberAt(hanako).call(sendDm, message);
  await here.close();
  await hanako.call(sendDm, { receiverId: taro.user_id, description: "Are you there?" });
  for (let i = 0; i < 3; i++) await hanako.call(sendDm, message);
  await hanako.call(sendDm, { receiverId: taro.user_id, description: "Good night" });

  const texts = () =>
    his.frames.flatMap((frame) => (frame as { dm?: { description: string } }).dm?.description ?? []);
  await eventually(() => expect(texts()).toContain("Good night"));
  expect(texts().filter((each) => each === "Good evening")).toHaveLength(1);
  expect(texts()).toHaveLength(3);
});

interface Scene {
  readonly here: TestService;
  readonly hanako: TestMember;
  readonly taro: TestMember;
  /** Taro likes Jun, but they are not matched yet. */
  readonly jun: TestMember;
  /** Taro's message to Hanako. */
  readonly dmId: string;
}

const framed = (kind: string) => (socket: TestSocket) =>
  socket.frames.some((frame) => kind in (frame as object));

test.each<[string, (scene: Scene) => Promise<unknown>, (his: TestSocket) => boolean]>([
  [
    "a logout closes his sockets",
    ({ here, taro }) => here.call(logOut, { token: taro.refresh }),
    (his) => his.closed === 4401,
  ],
  [
    "a block ends the conversation",
    ({ here, hanako, taro }) => here.memberAt(hanako).call(blockUser, { userId: taro.user_id }),
    framed("match_ended"),
  ],
  [
    "a read position is shown",
    ({ here, hanako, taro, dmId }) => here.memberAt(hanako).call(readDm, { friendId: taro.user_id, dmId }),
    framed("read"),
  ],
  [
    "a message is unsent",
    ({ here, hanako, taro, dmId }) => here.memberAt(taro).call(unsendDm, { friendId: hanako.user_id, dmId }),
    framed("unsent"),
  ],
  [
    "a match is announced",
    ({ here, taro, jun }) => here.memberAt(jun).call(likeUser, { likedId: taro.user_id }),
    framed("match"),
  ],
])(
  "publishes an event to other servers before its response when the server then dies: %s",
  async (_, act, isNoticed) => {
    const nats = await startNats();
    onTestFinished(nats.close);
    const line = await startNetworkProxy(nats.url);
    onTestFinished(line.close);
    const there = await serviceForTest({ config: { natsUrl: nats.url } });
    const here = await serviceForTest({ beside: there, config: { natsUrl: line.url } });
    // Its job might complete the match before the request does, and publish it after the response.
    await here.ctx.jobs.stop();
    const { hanako, taro } = await hanakoAndTaro(there);
    const jun = await there.member("jun", { paid: true });
    await taro.call(likeUser, { likedId: jun.user_id });
    const { dm } = await taro.call(sendDm, { receiverId: hanako.user_id, description: "Good evening" });
    const his = await taro.socket("/ws/events");
    const before = his.frames.length;

    await act({ here, hanako, taro, jun, dmId: dm.id });
    line.cut();

    his.frames.splice(0, before);
    await eventually(() => expect(isNoticed(his)).toBe(true));
  },
);
