import { act, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { getOwnUser } from "@alcove/contract/accounts";
import { CONSENT_REQUIRED_FROM } from "@alcove/contract/call";
import { likeUser } from "@alcove/contract/discovery";
import { TERMS_VERSION } from "@alcove/contract/legal-versions";
import { api } from "../../lib/api/api.ts";
import { showError } from "../../lib/page/show-error.ts";
import { startSession } from "../../lib/session/session.ts";
import { render, translations } from "../../testing/render.tsx";
import { ConsentSheet } from "./consent-sheet.tsx";

const t = translations.consent;
const given: unknown[] = [];
let isDue = true;

beforeEach(() => {
  isDue = true;
  given.length = 0;
  startSession({ access: "access", refresh: "refresh" }, false);
  vi.stubGlobal("fetch", async (path: string, { method, body }: { method: string; body: string }) => {
    const headers: Record<string, string> = isDue ? { [CONSENT_REQUIRED_FROM]: "2026-12-24" } : {};
    if (method === "POST") {
      given.push(JSON.parse(body));
      isDue = false;
      return new Response(null, { status: 204 });
    }
    const known = { version: "2026-11-26", agreed_version: "2026-11-26" };
    const status = { terms: { version: TERMS_VERSION, agreed_version: "2020-01-01" }, privacy: known };
    return Response.json(path.includes("consent") ? status : {}, { headers });
  });
});
afterEach(() => void vi.unstubAllGlobals());

const sheet = () => screen.queryByRole("dialog");
const visit = () => act(() => api(getOwnUser, {}));
const like = () => api(likeUser, { likedId: "taro" });

test("asks for the consent to the changed document, and then lets calls pass", async () => {
  const { user } = render(<ConsentSheet />);
  expect(sheet()).toBeNull();
  await visit();

  const box = await screen.findByRole("checkbox", { name: t.agreeTerms });
  expect(sheet()!.textContent).toContain("2026/12/24");
  expect(screen.queryByRole("checkbox", { name: t.agreePrivacy })).toBeNull();
  const agree = screen.getByRole("button", { name: t.agree });
  expect(agree).toHaveProperty("disabled", true);
  await expect(like()).rejects.toMatchObject({ code: "consent_required" });
  expect(given).toEqual([]);
  await user.click(box);
  await user.click(agree);

  await waitFor(() => expect(sheet()).toBeNull());
  expect(given).toEqual([{ terms_version: TERMS_VERSION, privacy_version: "2026-11-26" }]);
  await like();
});

test("closes for reading, and shows again when the member tries more", async () => {
  const { user } = render(<ConsentSheet />);
  await visit();

  await user.click(await screen.findByRole("button", { name: t.refuse }));
  expect(screen.getByRole("link", { name: t.export }).getAttribute("href")).toBe("/en/setting/export");
  await user.click(screen.getByRole("button", { name: t.readOnly }));
  await waitFor(() => expect(sheet()).toBeNull());
  await visit();
  expect(sheet()).toBeNull();
  const error: unknown = await like().catch((failure: unknown) => failure);
  act(() => showError(error));

  expect(await screen.findByRole("button", { name: t.refuse })).toBeTruthy();
});
