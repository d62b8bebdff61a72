import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { randomUUID } from "node:crypto";
import { io, type Socket } from "socket.io-client";
import { WebSocket } from "ws";
import { sendDm } from "@alcove/contract/messaging";
import { buildRequest } from "@alcove/contract/request";
import type { Chat, ChatName, Party } from "./chat.ts";

/** Sends by POST, receives on `/ws/events`. */
function alcove(url: string): Chat {
  const agent = new Agent({ keepAlive: true });
  return {
    open: (party, onMessage) => openOurs(url, party, onMessage),
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
      const [response] = (await once(sending, "response")) as [IncomingMessage];
      response.resume();
      await once(response, "end");
      expectOk(response.statusCode);
    },
  };
}

const messageOf = (to: Party, description: string) => ({
  receiverId: to.userId,
  description,
  clientId: randomUUID(),
});

function expectOk(status: number | undefined): void {
  if (status !== 200) throw new Error(`a message got the status ${status}`);
}

async function openOurs(
  url: string,
  { userId, token }: Party,
  onMessage: (text: string) => void,
): Promise<void> {
  const socket = new WebSocket(`${url.replace("http", "ws")}/ws/events?token=${token}`, {
    perMessageDeflate: false,
  });
  socket.on("message", (data: Buffer) => {
    const { dm } = JSON.parse(data.toString()) as {
      dm?: { description: string; receiver: { user_id: string } };
    };
    if (dm?.receiver.user_id === userId) onMessage(dm.description);
  });
  exitOnClose(socket);
  await once(socket, "open");
}

/** The server of `socketio-chat.ts`. */
function socketio(url: string): Chat {
  const sockets = new Map<string, Socket>();
  return {
    async open({ userId, token }, onMessage) {
      const socket = io(url, { transports: ["websocket"], auth: { userId, token }, forceNew: true });
      sockets.set(userId, socket);
      socket.on("message", ({ text }: { text: string }) => onMessage(text));
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

/** A lost socket would invalidate the measurement. */
function exitOnClose(socket: WebSocket): void {
  socket.on("close", (code) => {
    console.error(`a socket closed with code ${code}`);
    process.exit(1);
  });
}

export const CHATS: Record<ChatName, (url: string) => Chat> = { alcove, socketio };
