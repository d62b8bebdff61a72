import { afterAll, describe, expect, test } from "vitest";
import { checkSignUpCode, requestSignUpCode } from "@alcove/contract/accounts";
import { CODE_MISSES } from "@alcove/contract/limits";
import { checkResetCode, requestResetCode } from "@alcove/contract/passwords";
import { startMailbox } from "@alcove/test-services/mail";
import { openClient } from "../browser.ts";
import { serviceForTest } from "../match.ts";
import { agreed } from "../sign-up.ts";

const mailbox = await startMailbox();
afterAll(() => mailbox.close());
const config = { smtpUrl: mailbox.url, trustProxy: true, hasRateLimits: true };
const HOME = "198.51.100.7";

const wrong = (code: string, by: number): string => String((Number(code) + by) % 1_000_000).padStart(6, "0");

describe.each(["cross-site", "same-site"] as const)("a %s page that the owner of an address visits", (site) => {
  test("cannot close the code that the owner's browser requested", async () => {
    const service = await serviceForTest({ config });
    const email = `visits-${site}@example.com`;
    const owner = openClient(service, { network: HOME });
    await owner.call(requestSignUpCode, { email, ...agreed });
    const code = (await mailbox.waitForEmail(email)).code!;

    // A form in a new window posts step 1, whose response may set cookies; later ones post wrong codes.
    await owner.call(requestSignUpCode, { email, ...agreed }, site);
    await mailbox.waitForEmail(email, 2);
    for (let by = 1; by <= 2 * CODE_MISSES; by++)
      await owner.call(checkSignUpCode, { email, code: wrong(code, by) }, site);

    expect(await owner.call(checkSignUpCode, { email, code })).toBe(true);
  });
});
