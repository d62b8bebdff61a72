import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { randomUUID } from "node:crypto";
import { io, type Socket } from "socket.io-client";
import { WebSocket } from "ws";
import { sendDm, type SocketResponse } from "@alcove/contract/messaging";
import { buildRequest } from "@alcove/contract/request";
import type { Chat, ChatName, Party } from "./chat.ts";

/** Our chat as the web app uses it: sends and receives over `/ws/events`. */
function alcove(url: string): Chat {
  const sockets = new Map<string, WebSocket>();
  const pending = new Map<number, (status: number) => void>();
  let lastNo = 0;
  return {
    async open(party, hear) {
      const socket = await openOurs(url, party, hear, ({ no, status }) => {
        pending.get(no)!(status);
        pending.delete(no);
      });
      sockets.set(party.userId, socket);
    },
    async send(from, to, text) {
      const status = new Promise<number>((done) => pending.set(++lastNo, done));
      const ask = { no: lastNo, call: sendDm.name, lang: "en", input: messageOf(to, text) };
      sockets.get(from.userId)!.send(JSON.stringify({ ask }));
      expectTaken(await status);
    },
  };
}

/** Our chat as third-party clients may use it: sends by POST, receives on `/ws/events`. */
function posted(url: string): Chat {
  const agent = new Agent({ keepAlive: true });
  return {
    async open(party, hear) {
      await openOurs(url, party, hear);
    },
    async send(from, to, text) {
      const call = buildRequest(sendDm, messageOf(to, text));
      if (typeof call.body !== "string") throw new Error("a text is sent as JSON");
      const headers = {
        ...call.headers,
        authorization: `Bearer ${from.token}`,
        "content-length": Buffer.byteLength(call.body),
      };
      const sending = request(`${url}${call.path}`, { agent, method: call.method, headers });
      sending.end(call.body);
      const [answer] = (await once(sending, "response")) as [IncomingMessage];
      answer.resume();
      await once(answer, "end");
      expectTaken(answer.statusCode);
    },
  };
}

const messageOf = (to: Party, description: string) => ({
  receiverId: to.userId,
  description,
  clientId: randomUUID(),
});

function expectTaken(status: number | undefined): void {
  if (status !== 200) throw new Error(`a message was answered with ${status}`);
}

async function openOurs(
  url: string,
  { userId, token }: Party,
  hear: (text: string) => void,
  hearAnswer?: (answer: SocketResponse["answer"]) => void,
): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace("http", "ws")}/ws/events?token=${token}`, {
    perMessageDeflate: false,
  });
  socket.on("message", (data: Buffer) => {
    const { dm, answer } = JSON.parse(data.toString()) as Partial<SocketResponse> & {
      dm?: { description: string; receiver: { user_id: string } };
    };
    if (dm?.receiver.user_id === userId) hear(dm.description);
    if (answer) hearAnswer!(answer);
  });
  failWhenItEnds(socket);
  await once(socket, "open");
  return socket;
}

/** Both servers of `socketio-chat.ts`. */
function socketio(url: string): Chat {
  const sockets = new Map<string, Socket>();
  return {
    async open({ userId, token }, hear) {
      const socket = io(url, { transports: ["websocket"], auth: { userId, token }, forceNew: true });
      sockets.set(userId, socket);
      socket.on("message", ({ text }: { text: string }) => hear(text));
      await new Promise<void>((done, fail) => {
        socket.once("connect", done);
        socket.once("connect_error", fail);
      });
      socket.on("disconnect", () => process.exit(1));
    },
    async send(from, to, text) {
      await sockets.get(from.userId)!.emitWithAck("send", { to: to.userId, text });
    },
  };
}

/** The transport alone: an echo on the same socket. */
function echo(url: string): Chat {
  const sockets = new Map<string, WebSocket>();
  const back = new Map<string, () => void>();
  return {
    async open({ userId }, hear) {
      const socket = new WebSocket(url.replace("http", "ws"), { perMessageDeflate: false });
      sockets.set(userId, socket);
      socket.on("message", (data: Buffer) => {
        const { text } = JSON.parse(data.toString()) as { text: string };
        hear(text);
        back.get(text)?.();
        back.delete(text);
      });
      failWhenItEnds(socket);
      await once(socket, "open");
    },
    async send(from, _, text) {
      const isBack = new Promise<void>((done) => back.set(text, done));
      sockets.get(from.userId)!.send(JSON.stringify({ text }));
      await isBack;
    },
  };
}

/** A lost socket would invalidate the measurement. */
function failWhenItEnds(socket: WebSocket): void {
  socket.on("close", (code) => {
    console.error(`a socket was closed with ${code}`);
    process.exit(1);
  });
}

export const CHATS: Record<ChatName, (url: string) => Chat> = {
  alcove,
  posted,
  least: socketio,
  socketio,
  echo,
};
