import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { render, translations } from "../../testing/render.tsx";
import { PasswordField } from "./password-field.tsx";

const { hidePassword, showPassword } = translations.ui;

test("a password is hidden until it is shown, and keeps its text", async () => {
  const { user } = render(<PasswordField label="Password" name="password" />);
  const input = screen.getByLabelText<HTMLInputElement>("Password");

  await user.type(input, "quiet evenings");
  expect(input.type).toBe("password");
  await user.click(screen.getByRole("button", { name: showPassword, pressed: false }));
  expect([input.type, input.value]).toEqual(["text", "quiet evenings"]);
  await user.click(screen.getByRole("button", { name: hidePassword, pressed: true }));

  expect(input.type).toBe("password");
});

test("a password field describes its error", () => {
  render(<PasswordField label="Password" error={{ text: "This password is wrong." }} />);

  const input = screen.getByLabelText("Password");
  expect(input.getAttribute("aria-invalid")).toBe("true");
  expect(document.getElementById(input.getAttribute("aria-describedby")!)?.textContent).toBe(
    "This password is wrong.",
  );
});
