import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { actionResult } from "../../lib/forms/form-result.ts";
import { deviceToken, isTabOnly } from "../../lib/session/session.ts";
import { render, translations } from "../../testing/render.tsx";
import { LoginScreen } from "./login-screen.tsx";
import { submitLogin } from "./submit-login.ts";

const t = translations.login;
const tokens = { access: "access", refresh: "refresh", device: "device-of-this-login" };
const required = { status: 429, body: { code: "bot_check_required", error_message: "Too many" } };
const wrong = { status: 401, body: { code: "wrong_credentials", error_message: "Wrong" } };
const done = { status: 200, body: tokens };

const sent: Record<string, unknown>[] = [];
let responses: { status: number; body: object }[] = [];

beforeEach(() => {
  sent.length = 0;
  vi.spyOn(globalThis, "fetch").mockImplementation(async (_, init) => {
    sent.push(JSON.parse(init!.body as string) as Record<string, unknown>);
    const { status, body } = responses.shift()!;
    return Response.json(body, { status });
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
  sessionStorage.clear();
});

async function logIn(solveBotCheck: (userId: string) => Promise<string>, { isShared = false } = {}) {
  const action = async ({ request }: { request: Request }) =>
    actionResult(await submitLogin(await request.formData(), solveBotCheck));
  const { user } = render(<LoginScreen view="login" action="/en/login" next={null} botCheckNotice={null} />, [
    { path: "/en/login", action },
  ]);
  await user.type(userIdField(), "hanako");
  await user.type(screen.getByLabelText(t.password, { selector: "input" }), "quiet-evenings-7");
  if (isShared) await user.click(screen.getByRole("checkbox"));
  await user.click(screen.getByRole("button", { name: t.logIn }));
}

/** A known device takes the email address too. */
const userIdField = () => screen.getByLabelText<HTMLInputElement>(new RegExp(`^${t.userId}`));

const hasSession = () => (isTabOnly() ? sessionStorage : localStorage).getItem("session") !== null;

test("solves each bot check that the server requires, and keeps the input meanwhile", async () => {
  responses = [required, required, done];
  const solution = Promise.withResolvers<string>();
  const solve = vi.fn<(userId: string) => Promise<string>>().mockReturnValueOnce(solution.promise);
  solve.mockResolvedValueOnce("second");

  await logIn(solve);
  expect((await screen.findByRole("status")).textContent).toBe(t.checking);
  expect(userIdField().value).toBe("hanako");
  expect(screen.getByLabelText<HTMLInputElement>(t.password, { selector: "input" }).value).toBe(
    "quiet-evenings-7",
  );
  solution.resolve("first");

  await waitFor(() => expect(hasSession()).toBe(true), { timeout: 3_000 });
  expect(sent.map(({ recaptchaToken }) => recaptchaToken)).toEqual([null, "first", "second"]);
  expect(solve.mock.calls).toEqual([["hanako"], ["hanako"]]);
});

test("solves no bot check when the password is wrong", async () => {
  responses = [wrong];
  const solve = vi.fn<(userId: string) => Promise<string>>();

  await logIn(solve);

  await waitFor(() => expect(sent).toHaveLength(1));
  expect(solve).not.toHaveBeenCalled();
  expect(screen.queryByRole("status")).toBeNull();
});

test("asks for a recovery code where the account asks for a passkey, and keeps the input", async () => {
  const asked = { status: 401, body: { code: "passkey_required", error_message: "Asked", options: {} } };
  const wrongCode = { status: 401, body: { code: "wrong_recovery_code", error_message: "Wrong code" } };
  responses = [asked, wrongCode, done];

  await logIn(vi.fn());
  const field = await screen.findByLabelText<HTMLInputElement>(t.recoveryCode);
  await userEvent.type(field, "aaaa-bbbb-cccc");
  await userEvent.click(screen.getByRole("button", { name: t.logIn }));
  expect(await screen.findByText("Wrong code")).toBeDefined();
  await userEvent.clear(field);
  await userEvent.type(field, "dddd-eeee-ffff");
  await userEvent.click(screen.getByRole("button", { name: t.logIn }));

  await waitFor(() => expect(hasSession()).toBe(true), { timeout: 3_000 });
  expect(sent.map(({ recovery_code }) => recovery_code)).toEqual([null, "aaaa-bbbb-cccc", "dddd-eeee-ffff"]);
  expect(sent.map(({ user_id }) => user_id)).toEqual(["hanako", "hanako", "hanako"]);
});

test("keeps the device of a login in this tab only for the tab", async () => {
  responses = [done];

  await logIn(vi.fn(), { isShared: true });
  await waitFor(() => expect(hasSession()).toBe(true), { timeout: 3_000 });

  expect(deviceToken(true)).toBe(tokens.device);
  expect(deviceToken(false)).toBeNull();
  expect(Object.keys(localStorage)).toEqual([]);
});

test("sends the device of the browser, and that of the tab only for a login in this tab", async () => {
  localStorage.setItem("device", "of the browser");
  sessionStorage.setItem("device", "of the tab");
  responses = [wrong, wrong];

  await logIn(vi.fn());
  await waitFor(() => expect(sent).toHaveLength(1));
  // A busy form ignores a press.
  await waitFor(() =>
    expect(screen.getByRole("button", { name: t.logIn }).getAttribute("aria-busy")).toBeNull(),
  );
  await logInShared();

  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent.map(({ device }) => device)).toEqual(["of the browser", "of the tab"]);

  async function logInShared() {
    screen.getByRole<HTMLInputElement>("checkbox").click();
    screen.getByRole("button", { name: t.logIn }).click();
  }
});
