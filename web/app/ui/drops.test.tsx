import { fireEvent, screen } from "@testing-library/react";
import { beforeAll, expect, test } from "vitest";
import { render } from "../testing/render.tsx";
import { keepDropsOnPage } from "./drops.ts";

beforeAll(keepDropsOnPage);

function transfer(type: string): DataTransfer {
  const data = new DataTransfer();
  // A page learns of files before their drop by this type alone.
  if (type === "Files") Object.defineProperty(data, "types", { value: ["Files"] });
  else data.setData(type, "https://a.example/");
  return data;
}

test.each([
  ["a file", "Files", "heading", false],
  ["a file", "Files", "textbox", false],
  ["a file", "Files", "checkbox", false],
  ["a link", "text/uri-list", "heading", false],
  ["a link", "text/uri-list", "checkbox", false],
  ["text", "text/plain", "heading", false],
  ["text", "text/plain", "textbox", true],
  ["a link without a text", "text/uri-list", "textbox", false],
  ["text", "text/plain", "spinbutton", false],
  ["text", "text/plain", "searchbox", false],
])("%s (%s) dropped on a %s stays with the page", (_, type, role, isLeftToBrowser) => {
  render(
    <>
      <h1>Messages</h1>
      <textarea />
      <input type="checkbox" />
      <input type="date" role="spinbutton" />
      <input type="search" readOnly />
    </>,
  );
  const target = screen.getByRole(role);

  expect(fireEvent.dragOver(target, { dataTransfer: transfer(type) })).toBe(isLeftToBrowser);
  expect(fireEvent.drop(target, { dataTransfer: transfer(type) })).toBe(isLeftToBrowser);
});
