import { expect, onTestFinished, test } from "vitest";
import { sendDm } from "@alcove/contract/messaging";
import { openLine } from "@alcove/sandbox/line";
import { startNats } from "@alcove/sandbox/nats";
import { hanakoAndTaro, serviceOfTest } from "../testing/match.ts";
import { eventually } from "../testing/service.ts";

test("a message whose server died before others could know of it reaches open sockets elsewhere when it is sent again, once", async () => {
  const nats = await startNats();
  onTestFinished(nats.close);
  const line = await openLine(nats.url);
  onTestFinished(line.close);
  const there = await serviceOfTest({ settings: { natsUrl: nats.url } });
  const here = await serviceOfTest({ beside: there, settings: { natsUrl: line.url } });
  const { hanako, taro } = await hanakoAndTaro(there);
  const his = await taro.socket("/ws/events");
  const message = { receiverId: taro.user_id, description: "Good evening", clientId: crypto.randomUUID() };
  line.cut();
  await eventually(() => expect(here.deps.live.isUp()).toBe(false));

  await here.meet(hanako).ask(sendDm, message);
  await here.close();
  await hanako.ask(sendDm, { receiverId: taro.user_id, description: "Are you there?" });
  for (let i = 0; i < 3; i++) await hanako.ask(sendDm, message);
  await hanako.ask(sendDm, { receiverId: taro.user_id, description: "Good night" });

  const texts = () =>
    his.frames.flatMap((frame) => (frame as { dm?: { description: string } }).dm?.description ?? []);
  await eventually(() => expect(texts()).toContain("Good night"));
  expect(texts().filter((each) => each === "Good evening")).toHaveLength(1);
  expect(texts()).toHaveLength(3);
});
