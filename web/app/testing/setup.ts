import { cleanup } from "@testing-library/react";
import { afterEach, expect, vi } from "vitest";

const consoleError = vi.spyOn(console, "error");

afterEach(() => {
  cleanup();
  expect(consoleError.mock.calls).toEqual([]);
  consoleError.mockClear();
});
