import { act, screen } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";
import { render, translations } from "../../testing/render.tsx";
import { LocationOff } from "./location-help.tsx";
import { LocationPrompt } from "./location-prompt.tsx";

const t = translations.location;
const ignore = () => undefined;

test.each([
  ["prompt", () => <LocationPrompt isOpen onSaved={ignore} onDenied={ignore} onNotNow={ignore} />, t.allow],
  ["help", () => <LocationOff onSaved={ignore} />, t.switchedOn],
])("the %s says where the question can be when the browser does not answer", async (_, Element, button) => {
  const geolocation = { value: { getCurrentPosition: ignore }, configurable: true };
  Object.defineProperty(navigator, "geolocation", geolocation);
  onTestFinished(() => void Reflect.deleteProperty(navigator, "geolocation"));
  const { user } = render(<Element />);
  await screen.findByRole("button", { name: button });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());

  await user.click(screen.getByRole("button", { name: button }));
  act(() => void vi.advanceTimersByTime(1_000));
  expect(screen.queryByText(t.noAnswer)).toBeNull();
  act(() => void vi.advanceTimersByTime(6_000));

  expect(screen.getByText(t.noAnswer)).toBeTruthy();
});
