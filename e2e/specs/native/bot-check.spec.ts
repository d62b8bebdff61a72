import { keyboard } from "../../actions/input-method.ts";
import { requestCode } from "../../actions/sign-up.ts";
import { expect, t, test } from "../../fixtures/native-test.ts";

for (const platform of ["android", "ios"] as const)
  test(
    `checks by reCAPTCHA in a frame of the server on ${platform}, and loads no foreign script itself`,
    { tag: "@long" },
    async ({ phone, mailbox, recaptcha, serverWith }) => {
      const { url } = await serverWith({ BOT_CHECK: "recaptcha", ...recaptcha.variables });
      const native = await phone({ platform, serverUrl: url, launchUrl: `${url}/en/sign-up` });
      const { page } = native;
      await native.launch();

      await requestCode({ page, t }, keyboard, `native-${platform}@example.com`);

      await mailbox.waitForEmail(`native-${platform}@example.com`);
      expect(await page.evaluate(() => "grecaptcha" in globalThis)).toBe(false);
      await expect(page.locator("iframe")).toHaveCount(0);
    },
  );
