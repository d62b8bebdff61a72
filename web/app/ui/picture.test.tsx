import { cleanup, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { ICON_WIDTHS, MESSAGE_IMAGE_WIDTHS } from "@alcove/contract/limits";
import { render } from "../testing/render.tsx";
import { Picture, STORED_WIDTHS } from "./picture.tsx";

function attributesOf(src: string) {
  render(<Picture src={src} alt="" sizes="10rem" />);
  const image = screen.getByRole("presentation");
  cleanup();
  return [image.getAttribute("src"), image.getAttribute("srcset"), image.getAttribute("sizes")];
}

test("offers the widths that the server stores, and one picture of any other kind", () => {
  expect(STORED_WIDTHS).toEqual({ icon: ICON_WIDTHS, message: MESSAGE_IMAGE_WIDTHS });
  expect(attributesOf("/media/m/Ab-_9")).toEqual([
    "/media/m/Ab-_9",
    "/media/m/Ab-_9?w=640 640w, /media/m/Ab-_9?w=1600 1600w",
    "10rem",
  ]);
  for (const src of ["/media/i/A", "https://alcove.example/media/c/A"])
    expect(attributesOf(src)[1]).toContain(`${src}?w=160 160w`);
  for (const src of ["/media/default-icon.svg", "blob:A", "data:image/jpeg;base64,/media/i/A="])
    expect(attributesOf(src)).toEqual([src, null, null]);
});
