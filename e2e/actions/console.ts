import { type CDPSession, expect, type Page } from "@playwright/test";
import type { ServerFixtures } from "../fixtures/server.ts";

/** Adds an operator by the command line. Returns the link that registers a passkey. */
export async function linkOfOperator(
  server: Pick<ServerFixtures["server"], "output">,
  runOperator: ServerFixtures["runOperator"],
  name: string,
): Promise<{ consoleUrl: string; link: string }> {
  const [, consoleUrl = ""] = /console of operators is at (\S+)/.exec(server.output()) ?? [];
  const [, token = ""] = /#(\S+)/.exec(await runOperator("operators", "add", name)) ?? [];
  return { consoleUrl, link: `${consoleUrl}/enrol#${token}` };
}

/** A device with passkeys, which confirms at once. `touch(false)` stops that. */
export async function addAuthenticator(devtools: CDPSession, transport: "internal" | "usb") {
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    authenticatorId,
    touch: (enabled: boolean) =>
      devtools.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled }),
  };
}

/** Registers a passkey of Chromium's virtual authenticator by a link, and logs in. */
export async function enrolOperator(page: Page, link: string) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  const device = await addAuthenticator(devtools, "internal");
  await page.goto(link);
  await page.getByRole("button", { name: "Register a passkey" }).click();
  await page.getByRole("button", { name: "Log in with a passkey" }).click();
  await expect(page.getByRole("heading", { name: "Cases", exact: true })).toBeFocused();
  return { devtools, device };
}
