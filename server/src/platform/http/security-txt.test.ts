import { expect, test } from "vitest";
import { serviceForTest } from "../../testing/service-for-test.ts";
import { DAY_MS } from "../clock.ts";

test("names the support address, for less than a year, and nothing about the service", async () => {
  const service = await serviceForTest({
    config: {
      brandName: "Quiet Room",
      supportEmail: "desk@quiet.example",
      publicUrl: "https://quiet.example",
    },
  });

  const response = await service.fetch("/.well-known/security.txt");
  const text = await response.text();

  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(text.replace(/(?<=Expires: ).*/, "…")).toBe(
    "Contact: mailto:desk@quiet.example\n" +
      "Expires: …\n" +
      "Preferred-Languages: en, ja, zh\n" +
      "Canonical: https://quiet.example/.well-known/security.txt\n",
  );
  const [expires = ""] = /(?<=Expires: ).*/.exec(text) ?? [];
  const days = (Date.parse(expires) - service.clock.now().getTime()) / DAY_MS;
  expect(days).toBeGreaterThan(350);
  expect(days).toBeLessThan(365);
});

test("names no canonical address when PUBLIC_URL is unset", async () => {
  const service = await serviceForTest();

  expect(await (await service.fetch("/.well-known/security.txt")).text()).not.toContain("Canonical");
});
