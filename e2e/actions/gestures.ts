import type { Locator, Page } from "@playwright/test";

/** Drags with a finger. */
export async function dragWithFinger(
  page: Page,
  from: [number, number],
  to: [number, number],
): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  const at = (part: number) => [
    { x: from[0] + (to[0] - from[0]) * part, y: from[1] + (to[1] - from[1]) * part },
  ];
  await cdp.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: at(0) });
  for (let step = 1; step <= 10; step++)
    await cdp.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: at(step / 10) });
  await cdp.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await cdp.detach();
}

export async function holdFinger(page: Page, [x, y]: [number, number], ms: number): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x, y }] });
  await page.evaluate((duration) => new Promise((done) => setTimeout(done, duration)), ms);
  await cdp.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await cdp.detach();
}

/** Drags with the mouse. */
export async function dragWithMouse(page: Page, from: [number, number], to: [number, number]): Promise<void> {
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(...to, { steps: 10 });
  await page.mouse.up();
}

/** Returns the centre and the size of an element. */
export async function centreOf(
  target: Locator,
): Promise<{ x: number; y: number; width: number; height: number }> {
  await target.scrollIntoViewIfNeeded();
  const box = (await target.boundingBox())!;
  return { ...box, x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
