import { cleanup } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { loadOutbox, storeOutbox } from "../features/chat/stored-outbox.ts";
import { render } from "../testing/render.tsx";
import { RealtimeUpdates } from "./realtime-updates.tsx";

afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
  sessionStorage.clear();
});

test("keeps waiting messages when an error screen replaces the page, and deletes them after the logout", () => {
  vi.spyOn(globalThis, "fetch").mockReturnValue(new Promise(() => undefined));
  localStorage.setItem("session", JSON.stringify({ access: "access", refresh: "refresh", login: "1" }));
  storeOutbox("taro", [
    { clientId: "1", text: "Written on the train.", reply: null, at: new Date().toISOString() },
  ]);

  render(<RealtimeUpdates />);
  cleanup();
  expect(loadOutbox("taro")).toHaveLength(1);

  render(<RealtimeUpdates />);
  localStorage.removeItem("session");
  cleanup();
  expect(loadOutbox("taro")).toEqual([]);
});
