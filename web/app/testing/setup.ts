import { cleanup, configure } from "@testing-library/react";
import { afterEach, expect, vi } from "vitest";
import { browserStore, STORED_KEYS, tabStore } from "../device/stored.ts";
import { banner } from "../lib/page/banner.ts";
import { releasePage } from "../lib/session/session.ts";
import { prepareIcons } from "../ui/icon.tsx";

// The first opening of a dialog loads its code.
configure({ asyncUtilTimeout: 10_000 });

await prepareIcons();

const consoleError = vi.spyOn(console, "error");

// The files of a worker share modules and the window.
afterEach(() => {
  cleanup();
  for (const { id } of banner.getState()) banner.remove(id);
  for (const store of [browserStore, tabStore]) store.remove(...STORED_KEYS);
  releasePage();
  expect(consoleError.mock.calls).toEqual([]);
  consoleError.mockClear();
});
