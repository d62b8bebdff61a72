import { cleanup, configure } from "@testing-library/react";
import { afterEach, expect, vi } from "vitest";
import { prepareIcons } from "../ui/icon.tsx";

// The first opening of a dialog loads its code.
configure({ asyncUtilTimeout: 10_000 });

await prepareIcons();

const consoleError = vi.spyOn(console, "error");

afterEach(() => {
  cleanup();
  expect(consoleError.mock.calls).toEqual([]);
  consoleError.mockClear();
});
