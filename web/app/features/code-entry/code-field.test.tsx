import { fireEvent, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { render, translations } from "../../testing/render.tsx";
import { useState, type FormEvent } from "react";
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

test.each([
  ["digits of a Japanese keyboard", "１２３４５６７", "１２３４５６７８", "１２３４５６７８", 1],
  ["a digit too many", "１２３４５６７８", "１２３４５６７８９", "12345678", 1],
  ["seven digits", "１２３４５６", "１２３４５６７", "１２３４５６７", 0],
  ["letters", "ａｂ", "ａｂｃｄ", "ａｂｃｄ", 0],
  ["a pasted-like whole code", "１", "１２３４ ５６７８", "１２３４ ５６７８", 1],
])("sends %s only when their composition ends", (_, typing, typed, value, sent) => {
  const onSubmit = vi.fn((event: FormEvent) => event.preventDefault());
  render(
    <form onSubmit={onSubmit}>
      <Code />
    </form>,
  );

  fireEvent.compositionStart(input());
  for (const text of [typing, typed]) {
    fireEvent.input(input(), { target: { value: text }, isComposing: true });
    expect(input().value).toBe(text);
  }
  expect(onSubmit).not.toHaveBeenCalled();
  fireEvent.compositionEnd(input());

  expect(input().value).toBe(value);
  expect(onSubmit).toHaveBeenCalledTimes(sent);
});
