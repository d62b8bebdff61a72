import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { render } from "../testing/render.tsx";
import { Button, IconButton } from "./button.tsx";
import { Form } from "./forms/form.tsx";

test("a button calls its handler when it is clicked or when Enter or Space is pressed", async () => {
  const handleClick = vi.fn();
  const { user } = render(<Button onClick={handleClick}>Save</Button>);

  await user.click(screen.getByRole("button", { name: "Save" }));
  await user.keyboard("{Enter} ");

  expect(handleClick).toHaveBeenCalledTimes(3);
});

test("a busy button keeps the focus and ignores clicks", async () => {
  const handleClick = vi.fn();
  const { user } = render(
    <Button busy onClick={handleClick}>
      Save
    </Button>,
  );
  const button = screen.getByRole("button", { name: "Save", busy: true });

  await user.click(button);

  expect(handleClick).not.toHaveBeenCalled();
  expect(document.activeElement).toBe(button);
  expect(button.getAttribute("aria-disabled")).toBe("true");
});

test("a disabled button ignores clicks and cannot be focused", async () => {
  const handleClick = vi.fn();
  const { user } = render(
    <Button disabled onClick={handleClick}>
      Save
    </Button>,
  );

  await user.click(screen.getByRole("button", { name: "Save" }));
  await user.tab();

  expect(handleClick).not.toHaveBeenCalled();
  expect(document.activeElement).toBe(document.body);
});

test.each([
  ["submits its form only when its type says so", {}, 0],
  ["submits its form when it is a submit button", { type: "submit" }, 1],
  ["does not submit its form when it is busy", { type: "submit", busy: true }, 0],
] as const)("a button %s", async (_, props, submissions) => {
  const handleSubmit = vi.fn();
  const { user } = render(
    <Form onSubmit={handleSubmit}>
      <Button {...props}>Save</Button>
    </Form>,
  );

  await user.click(screen.getByRole("button", { name: "Save" }));

  expect(handleSubmit).toHaveBeenCalledTimes(submissions);
});

test("an icon button has its label as name", () => {
  render(<IconButton icon="close" label="Close" />);

  expect(screen.getByRole("button", { name: "Close" }).title).toBe("Close");
});
