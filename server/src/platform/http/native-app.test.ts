import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { getWsTicket } from "@alcove/contract/accounts";
import { sendDm } from "@alcove/contract/messaging";
import { orderPictures } from "@alcove/contract/profiles";
import { hanakoAndTaro } from "../../testing/match.ts";
import { serviceForTest } from "../../testing/service-for-test.ts";
import { memberWithIcon } from "../../testing/sample-members.ts";
import { plainPicture, fileOf } from "../../testing/sample-pictures.ts";
import { eventually, openSocket } from "../../testing/test-service.ts";

const PAGES_DIR = join(import.meta.dirname, "../../../../web/build/client");
const DIGEST = `${"AB:".repeat(31)}CD`;

interface UserBody {
  user: { icon: string; pictures: string[]; description: string };
}

test.each(["https://localhost", "capacitor://localhost"])(
  "returns whole picture URLs to a page of %s, and takes them back",
  async (origin) => {
    const service = await serviceForTest();
    const picture = await plainPicture(64).png().toBuffer();
    const hanako = await memberWithIcon(service, "hanako", new Uint8Array(picture));
    const read = async (headers: Record<string, string>) =>
      (await (await hanako.fetch("/en/users/api/user", { headers })).json()) as UserBody;

    const { user } = await read({ origin });

    expect(user.icon).toMatch(new RegExp(`^${service.url}/media/i/[\\w-]{102}$`));
    expect((await fetch(user.icon, { headers: { origin } })).status).toBe(200);
    expect(user.pictures).toEqual([user.icon]);
    const ordered = await hanako.call(orderPictures, { pictures: user.icon });
    expect(ordered.user.icon).toMatch(/^\/media\/i\//);
    expect((await read({ origin: "https://evil.example" })).user.icon).toMatch(/^\/media\/i\//);
    expect((await read({})).user.icon).toMatch(/^\/media\/i\//);
  },
);

test("leaves a member's own text as it is, also where it resembles a picture URL", async () => {
  const { member } = await serviceForTest();
  const hanako = await member("hanako", { description: 'Look: "/media/default-icon.svg"' });

  const response = await hanako.fetch("/en/users/api/user", { headers: { origin: "https://localhost" } });

  const { user } = (await response.json()) as UserBody;
  expect(user.description).toBe('Look: "/media/default-icon.svg"');
});

test("sends whole picture URLs over the socket of a wrapper's page, and paths to others", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  const socketOf = async (origin: string) => {
    const { ticket } = await taro.call(getWsTicket, {});
    return openSocket(`${service.url.replace("http", "ws")}/ws/events?ticket=${ticket}`, { origin });
  };
  const native = await socketOf("capacitor://localhost");
  const browser = await socketOf(service.url);
  const fileIn = ({ frames }: { frames: unknown[] }) =>
    frames.map((frame) => (frame as { dm?: { file: string | null } }).dm?.file).find(Boolean);

  await hanako.call(sendDm, {
    receiverId: taro.user_id,
    file: fileOf(await plainPicture(64).png().toBuffer()),
  });

  await eventually(() => {
    expect(fileIn(native)).toMatch(new RegExp(`^${service.url}/media/m/`));
    expect(fileIn(browser)).toMatch(/^\/media\/m\//);
  });
});

test("names the native app for links of this site, if its identity is known", async () => {
  const iosAppId = "ABCDE12345.example.quiet";
  const service = await serviceForTest({
    config: { nativeAppId: "example.quiet", androidCertificates: [DIGEST], iosAppId },
  });
  const fileAt = async (name: string) => {
    const response = await service.fetch(`/.well-known/${name}`);
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    return response.json();
  };

  expect(await fileAt("assetlinks.json")).toEqual([
    {
      relation: ["delegate_permission/common.handle_all_urls", "delegate_permission/common.get_login_creds"],
      target: {
        namespace: "android_app",
        package_name: "example.quiet",
        sha256_cert_fingerprints: [DIGEST],
      },
    },
  ]);
  expect(await fileAt("apple-app-site-association")).toMatchObject({
    applinks: {
      details: [
        {
          appIDs: [iosAppId],
          components: expect.arrayContaining([{ "/": "*/app-login", exclude: true }, { "/": "/en/*" }]),
        },
      ],
    },
  });
});

test("names no native app while its identity is unknown", async () => {
  const service = await serviceForTest();

  for (const name of ["assetlinks.json", "apple-app-site-association"])
    expect((await service.fetch(`/.well-known/${name}`)).status).toBe(404);
});

test.runIf(existsSync(join(PAGES_DIR, "index.html")))(
  "gives the native app the values that pages of a browser contain",
  async () => {
    const service = await serviceForTest({ config: { brandName: "Quiet Room" }, pagesDir: PAGES_DIR });

    const response = await service.fetch("/native-app.json", { headers: { origin: "https://localhost" } });

    expect(response.headers.get("access-control-allow-origin")).toBe("https://localhost");
    expect(await response.json()).toMatchObject({
      wire: 1,
      oldest_wire: 1,
      page: { brandName: "Quiet Room", payments: "off", paypalClientId: "", recaptchaSiteKey: "" },
    });
  },
);
