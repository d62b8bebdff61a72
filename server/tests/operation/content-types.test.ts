import sharp from "sharp";
import { expect, test } from "vitest";
import { getOwnUser } from "@alcove/contract/accounts";
import { memberWithIcon } from "../../src/testing/sample-members.ts";
import { testService } from "../../src/testing/test-service.ts";

test("names the content type of every kind of response and forbids browsers to guess it", async () => {
  const service = await testService();
  const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: "red" } })
    .png()
    .toBuffer();
  const hanako = await memberWithIcon(service, "hanako", picture, { username: "<script>ran()</script>" });
  const { user } = await hanako.call(getOwnUser, {});
  const json = "application/json; charset=utf-8";
  const script = encodeURIComponent("<script>ran()</script>");

  for (const [path, contentType] of [
    ["/en/users/api/user", json],
    [`/en/users/api/get-user?userId=${script}`, json],
    [`/en/users/api/get-options?ids=${script}`, json],
    [`/en/dm/api/dm?friendId=${script}`, json],
    ["/en/dm/api/last-dms", json],
    ["/en/users/api/blocks", json],
    [`/en/users/api/${script}`, json],
    [`/media/i/${script}`, json],
    [user.icon, "image/jpeg"],
    ["/media/default-icon.svg", "image/svg+xml"],
    ["/openapi.json", json],
  ] as const) {
    const { headers } = await hanako.fetch(path);

    expect(headers.get("content-type"), path).toBe(contentType);
    expect(headers.get("x-content-type-options"), path).toBe("nosniff");
  }
});
