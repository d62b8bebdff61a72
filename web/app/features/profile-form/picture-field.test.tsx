import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { IconPreview } from "@alcove/contract/users";
import { render, translations } from "../../testing/render.tsx";
import { PictureField } from "./picture-field.tsx";

const t = translations.profileForm;
const file = new File(["picture"], "picture.png", { type: "image/png" });
const picture = () => screen.getByRole<HTMLImageElement>("img", { name: t.yourPicture });

function renderField(
  onPreview: (icon: File, signal: AbortSignal) => Promise<IconPreview>,
  icon: File | null = file,
) {
  const onChoose = vi.fn();
  const errors = { error: undefined, ownError: undefined };
  const onCancel = vi.fn();
  const props = {
    current: "/default.svg",
    icon,
    onChoose,
    onCancel,
    onPreview,
    hint: "Crop it next.",
    errors,
  };
  return { ...render(<PictureField {...props} />), onChoose, onCancel };
}

test("shows the current picture and requests no preview until one is chosen", async () => {
  const onPreview = vi.fn();
  const { user, onChoose } = renderField(onPreview, null);

  expect(picture().getAttribute("src")).toBe("/default.svg");
  await user.upload(screen.getByLabelText(t.choosePicture, { selector: "input" }), file);

  expect(onChoose).toHaveBeenCalledWith(file);
  expect(onPreview).not.toHaveBeenCalled();
});

test("shows that the preview loads until the server returns it", async () => {
  const response = Promise.withResolvers<IconPreview>();
  renderField(() => response.promise);

  expect(screen.getByRole("status").textContent).toBe(t.previewLoading);
  response.resolve({ icon: "data:image/png;base64,AAAA", faces: 1, face: null });

  expect(await screen.findByRole("radio", { name: t.asOthersSee, checked: true })).toBeTruthy();
  expect(picture().getAttribute("src")).toBe("data:image/png;base64,AAAA");
});

test("asks for a picture that is nowhere else, and describes the button by it", () => {
  renderField(vi.fn(), null);

  const description = `Crop it next. ${t.pictureElsewhere}`;
  expect(screen.getByRole("button", { name: t.choosePicture, description })).toBeTruthy();
});

test("shows the original picture while it is compared", async () => {
  const { user } = renderField(() =>
    Promise.resolve({ icon: "data:image/png;base64,AAAA", faces: 1, face: null }),
  );

  await user.click(await screen.findByRole("radio", { name: t.original }));
  expect(picture().src).toMatch(/^blob:/);
  await user.click(screen.getByRole("radio", { name: t.asOthersSee }));

  expect(picture().getAttribute("src")).toBe("data:image/png;base64,AAAA");
});

test("requests the preview again when it failed", async () => {
  const onPreview = vi
    .fn<(icon: File) => Promise<IconPreview>>()
    .mockRejectedValueOnce(new Error("busy"))
    .mockResolvedValueOnce({ icon: "data:image/png;base64,AAAA", faces: 1, face: null });
  const { user } = renderField(onPreview);

  await user.click(await screen.findByRole("button", { name: t.previewAgain }));

  expect(await screen.findByRole("radio", { name: t.asOthersSee })).toBeTruthy();
  expect(onPreview).toHaveBeenCalledTimes(2);
});

test("shows the chosen picture without a preview when processing is turned off", async () => {
  const { user } = renderField(() =>
    Promise.resolve({ icon: "data:image/png;base64,AAAA", faces: 1, face: null }),
  );
  await screen.findByRole("radio", { name: t.asOthersSee });

  await user.click(screen.getByRole("switch"));

  expect(picture().src).toMatch(/^blob:/);
  expect(screen.getByRole("status").textContent).toBe("");
});

test("stops the request when the processing is cancelled", async () => {
  let signal: AbortSignal | undefined;
  const { user, onCancel } = renderField((_, aborted) => {
    signal = aborted;
    return new Promise(() => undefined);
  });

  expect(screen.getByRole("progressbar")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: t.cancelPicture }));
  expect(onCancel).toHaveBeenCalledOnce();
  await user.click(screen.getByRole("switch"));

  expect(signal?.aborted).toBe(true);
});
