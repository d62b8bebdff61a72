import { render as renderElement, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider, useLoaderData, useRevalidator } from "react-router";
import { IntlProvider, type Messages } from "use-intl";
import { expect, test } from "vitest";
import { checkSignUpCode, logIn } from "@alcove/contract/accounts";
import { Banners } from "../../layout/shell/banners.tsx";
import { translations } from "../../testing/render.tsx";
import { TextField } from "../../ui/forms/field.tsx";
import { Form } from "../../ui/forms/form.tsx";
import { banner } from "../page/banner.ts";
import { pickErrors } from "./form.ts";
import type { FormResult } from "./form-result.ts";
import { reloadWhenDone } from "./submit-form.ts";
import { useForm } from "./use-form.ts";

const t = translations.fields;

function LoginForm() {
  const form = useForm<string>({ check: (fields) => pickErrors(logIn, fields, ["user_id", "password"]) });
  return (
    <Form {...form.props}>
      <TextField label="ID" name="user_id" {...form.errorsOf("user_id")} />
      <TextField label="Password" name="password" {...form.errorsOf("password")} />
      <button type="submit">Send</button>
      <Banners />
    </Form>
  );
}

function renderForm(result: FormResult<string>) {
  const user = userEvent.setup();
  const sent: string[] = [];
  const action = async ({ request }: { request: Request }) => {
    sent.push((await request.formData()).get("user_id") as string);
    return result;
  };
  const router = createMemoryRouter([{ path: "/", element: <LoginForm />, action }]);
  renderElement(
    <IntlProvider locale="en" messages={translations as Messages} timeZone="UTC">
      <RouterProvider router={router} />
    </IntlProvider>,
  );
  const send = () => user.click(screen.getByRole("button", { name: "Send" }));
  return { user, sent, send };
}

const input = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const describedBy = (label: string) =>
  document.getElementById(input(label).getAttribute("aria-describedby") ?? "");

test("shows the page's own errors under the fields, sends nothing, and removes each when it is corrected", async () => {
  const { user, sent, send } = renderForm({ ok: true, value: "" });

  await send();
  const error = describedBy("ID")!;
  expect(error.textContent).toBe(t.required);
  expect(input("ID").compareDocumentPosition(error)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  await waitFor(() => expect(document.activeElement).toBe(input("ID")));
  expect(screen.queryByRole("alert")).toBeNull();
  await user.type(input("ID"), "hanako");

  await waitFor(() => expect(describedBy("ID")).toBeNull());
  expect(describedBy("Password")!.textContent).toBe(t.required);
  expect(sent).toEqual([]);
});

test("shows the server's messages above the fields and as alerts, until their field changes", async () => {
  const problems = { password: ["password_common"], user_id: ["user_id_taken"] } as const;
  const { user, sent, send } = renderForm({ ok: false, problems, error: null });
  await user.type(input("ID"), "hanako");
  await user.type(input("Password"), "password1");

  await send();
  expect((await screen.findByRole("alert")).textContent).toBe(t.user_id_taken);
  const error = describedBy("ID")!;
  expect(input("ID").compareDocumentPosition(error)).toBe(Node.DOCUMENT_POSITION_PRECEDING);
  await user.type(input("ID"), "2");

  await waitFor(() => expect(screen.getByRole("alert").textContent).toBe(t.password_common));
  expect(describedBy("ID")).toBeNull();
  expect(input("Password").value).toBe("password1");
  expect(sent).toEqual(["hanako"]);
  await user.type(input("Password"), "2");
  expect(screen.queryByRole("alert")).toBeNull();
});

test("picks the contract's errors of some fields", () => {
  const form = new FormData();
  form.set("email", "no address");

  expect(pickErrors(checkSignUpCode, form, ["email"])).toEqual({ email: ["email_invalid"] });
});

test("gives notice of a form that disappears with the new data", async () => {
  let isOpen = true;
  function Disappearing() {
    const { revalidate } = useRevalidator();
    const form = useForm<unknown>({
      check: () => ({}),
      async onDone() {
        banner.notify("settings.saved");
        await revalidate();
      },
    });
    return (
      <Form {...form.props}>
        <button type="submit">Send</button>
      </Form>
    );
  }
  const Page = () => (
    <>
      {useLoaderData<boolean>() && <Disappearing />}
      <Banners />
    </>
  );
  const action = () => {
    isOpen = false;
    return { ok: true, value: null };
  };
  const router = createMemoryRouter([
    {
      path: "/",
      element: <Page />,
      loader: () => isOpen,
      action,
      shouldRevalidate: reloadWhenDone,
      HydrateFallback: () => null,
    },
  ]);
  renderElement(
    <IntlProvider locale="en" messages={translations as Messages} timeZone="UTC">
      <RouterProvider router={router} />
    </IntlProvider>,
  );

  await userEvent.click(await screen.findByRole("button", { name: "Send" }));

  await waitFor(() => expect(screen.queryByRole("button", { name: "Send" })).toBeNull());
  expect(screen.getByText(translations.settings.saved)).toBeTruthy();
});
