import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { render, translations } from "../../testing/render.tsx";
import { useState } from "react";
import { CodeField, LetterCodeButton, useCodeLine } from "./code-field.tsx";

const { code, hasLetters } = translations.codes;
function Code() {
  const [typed, setTyped] = useState("");
  const line = useCodeLine(typed);
  return (
    <>
      <CodeField line={line} value={typed} onChange={setTyped} ownError={undefined} />
      <LetterCodeButton line={line} />
    </>
  );
}

const input = () => screen.getByLabelText<HTMLInputElement>(code);
const places = () => [...document.querySelectorAll("i")].map((box) => box.textContent);

test("shows eight digits in eight places and takes no ninth", async () => {
  const { user } = render(<Code />);

  await user.type(input(), "123 456789");

  expect(places()).toEqual(["1", "2", "3", "4", "5", "6", "7", "8"]);
  expect(input().value).toBe("123 45678");
  expect(input().inputMode).toBe("numeric");
});

test("takes a pasted code with a space between its groups", async () => {
  const { user } = render(<Code />);

  await user.click(input());
  await user.paste(" 1234 5678 ");

  expect(places().join("")).toBe("12345678");
});

test("becomes one line when a capital letter comes first, by key or paste", async () => {
  const { user } = render(<Code />);

  await user.type(input(), "abcd-EFGH jklm");

  expect(places()).toEqual([]);
  expect(input().value).toBe("abcd-EFGH jklm");
  expect(document.activeElement).toBe(input());
  await user.clear(input());
  expect(places()).toHaveLength(8);
  await user.paste("ABCDEFGHJKLM");
  expect([places(), input().value]).toEqual([[], "ABCDEFGHJKLM"]);
});

test("takes text when the member chooses a code without digits", async () => {
  const { user } = render(<Code />);

  await user.click(screen.getByRole("button", { name: hasLetters }));

  expect(places()).toEqual([]);
  expect(input().inputMode).toBe("text");
  expect(document.activeElement).toBe(input());
  expect(screen.queryByRole("button", { name: hasLetters })).toBeNull();
});
