import { useState } from "react";
import { fireEvent, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { render } from "../../testing/render.tsx";
import { Stepper } from "./stepper.tsx";

function Months({ initially }: { initially: number }) {
  const [months, setMonths] = useState(initially);
  return (
    <>
      <Stepper
        label="Months"
        lessLabel="Fewer months"
        moreLabel="More months"
        value={months}
        max={11}
        read={(typed) => Math.min(Number(typed) || 0, 11)}
        onChange={setMonths}
      />
      <output>{months}</output>
    </>
  );
}

const value = () => screen.getByRole("status").textContent;

test("a stepper changes by one and stops at 0 and at its maximum", async () => {
  const { user } = render(<Months initially={10} />);

  await user.click(screen.getByRole("button", { name: "More months" }));
  await user.click(screen.getByRole("button", { name: "More months" }));
  expect(value()).toBe("11");
  for (let i = 0; i < 12; i++) await user.click(screen.getByRole("button", { name: "Fewer months" }));

  expect(value()).toBe("0");
});

test("a stepper changes by one when an arrow key is pressed", async () => {
  const { user } = render(<Months initially={3} />);

  await user.click(screen.getByRole("textbox", { name: "Months" }));
  await user.keyboard("{ArrowUp}{ArrowUp}{ArrowDown}");

  expect(value()).toBe("4");
});

test("a stepper leaves the keys of a composition to the input method", () => {
  render(<Months initially={3} />);
  const input = screen.getByRole("textbox", { name: "Months" });

  fireEvent.keyDown(input, { key: "ArrowUp", isComposing: true });
  fireEvent.keyDown(input, { key: "ArrowUp", keyCode: 229 });

  expect(value()).toBe("3");
});

test("a stepper keeps the typed text until the input is left, and reports its value at once", async () => {
  const { user } = render(<Months initially={0} />);
  const input = screen.getByRole<HTMLInputElement>("textbox", { name: "Months" });

  await user.clear(input);
  await user.type(input, "99");
  expect(input.value).toBe("99");
  expect(value()).toBe("11");
  await user.tab();

  expect(input.value).toBe("11");
});
