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
const boxes = () => [...document.querySelectorAll("i")].map((box) => box.textContent);

test("shows six digits in six boxes and takes no seventh", async () => {
  const { user } = render(<Code />);

  await user.type(input(), "123 4567");

  expect(boxes()).toEqual(["1", "2", "3", "4", "5", "6"]);
  expect(input().value).toBe("123 456");
  expect(input().inputMode).toBe("numeric");
});

test("becomes one line when a capital letter comes first, by key or paste", async () => {
  const { user } = render(<Code />);

  await user.type(input(), "abcd-EFGH jklm");

  expect(boxes()).toEqual([]);
  expect(input().value).toBe("abcd-EFGH jklm");
  expect(document.activeElement).toBe(input());
  await user.clear(input());
  expect(boxes()).toHaveLength(6);
  await user.paste("ABCDEFGHJKLM");
  expect([boxes(), input().value]).toEqual([[], "ABCDEFGHJKLM"]);
});

test("takes text when the member chooses a code without digits", async () => {
  const { user } = render(<Code />);

  await user.click(screen.getByRole("button", { name: hasLetters }));

  expect(boxes()).toEqual([]);
  expect(input().inputMode).toBe("text");
  expect(document.activeElement).toBe(input());
  expect(screen.queryByRole("button", { name: hasLetters })).toBeNull();
});
