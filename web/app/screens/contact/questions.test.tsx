import { screen } from "@testing-library/react";
import { expect, onTestFinished, test } from "vitest";
import { device } from "../../device/browser.ts";
import { render } from "../../testing/render.tsx";
import { Questions } from "./questions.tsx";

test.each([
  ["the app, which has no Google login, does not speak", true],
  ["the web app speaks", false],
])("the help of %s of Google", (_, isNative) => {
  const { isNative: inBrowser } = device;
  device.isNative = () => isNative;
  onTestFinished(() => void (device.isNative = inBrowser));

  render(<Questions />);

  expect(screen.queryAllByText(/Google/)).toHaveLength(isNative ? 0 : 1);
});
