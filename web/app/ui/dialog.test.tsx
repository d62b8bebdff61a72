import { useState } from "react";
import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { render, translations } from "../testing/render.tsx";
import { Button } from "./button.tsx";
import { Overlay, Sheet } from "./dialog.tsx";
import { DialogsPaused } from "./on-demand/dialogs-paused.ts";

const dialog = () => screen.queryByRole("dialog", { name: "Block Taro?" });

function BlockButton({ closeButton = false }: { closeButton?: boolean }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Block</Button>
      <Sheet isOpen={isOpen} onClose={() => setOpen(false)} title="Block Taro?" closeButton={closeButton}>
        <Button onClick={() => setOpen(false)}>Cancel</Button>
      </Sheet>
    </>
  );
}

test("a sheet moves the focus inside when it opens", async () => {
  const { user } = render(<BlockButton />);

  await user.click(screen.getByRole("button", { name: "Block" }));

  await waitFor(() => expect(dialog()?.contains(document.activeElement)).toBe(true));
});

test.each([
  ["Esc", "{Escape}"],
  ["its action", "{Enter}"],
])("a sheet closes by %s and returns the focus", async (_, key) => {
  const { user } = render(<BlockButton />);
  await user.click(screen.getByRole("button", { name: "Block" }));
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Cancel"));

  await user.keyboard(key);

  await waitFor(() => expect(dialog()).toBeNull());
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Block"));
});

test("a sheet has a close button when it is asked for", async () => {
  const { user } = render(<BlockButton closeButton />);
  await user.click(screen.getByRole("button", { name: "Block" }));

  await user.click(await screen.findByRole("button", { name: translations.ui.close }));

  await waitFor(() => expect(dialog()).toBeNull());
});

test("a sheet moves the focus to another element when it closes and one is given", async () => {
  function Screen() {
    const [isOpen, setOpen] = useState(false);
    return (
      <>
        <h1 id="heading" tabIndex={-1}>
          Transfers
        </h1>
        <Button onClick={() => setOpen(true)}>Transfer</Button>
        <Sheet
          isOpen={isOpen}
          onClose={() => setOpen(false)}
          title="Transfer now?"
          focusAfter={() => document.getElementById("heading")}
        >
          <p>A transfer cannot be cancelled.</p>
        </Sheet>
      </>
    );
  }
  const { user } = render(<Screen />);
  await user.click(screen.getByRole("button", { name: "Transfer" }));
  await screen.findByRole("dialog");

  await user.keyboard("{Escape}");

  await waitFor(() => expect(document.activeElement?.textContent).toBe("Transfers"));
});

test("an open dialog is hidden while dialogs are paused, and keeps its input", async () => {
  function Screen() {
    const [isPaused, setPaused] = useState(false);
    return (
      <DialogsPaused value={isPaused}>
        <p onDoubleClick={() => setPaused(!isPaused)}>Pause</p>
        <Overlay isOpen onClose={() => {}} className="crop" label="Crop">
          <input aria-label="Zoom" />
        </Overlay>
      </DialogsPaused>
    );
  }
  const { user } = render(<Screen />);
  await user.type(await screen.findByRole("textbox", { name: "Zoom" }), "2");
  const pause = screen.getByText("Pause");

  await user.dblClick(pause);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await user.dblClick(pause);

  await screen.findByRole("dialog", { name: "Crop" });
  expect(screen.getByRole<HTMLInputElement>("textbox", { name: "Zoom" }).value).toBe("2");
});

test("a dialog does not open while dialogs are paused", () => {
  render(
    <DialogsPaused value>
      <Sheet isOpen onClose={() => {}} title="Block Taro?">
        <p>Text</p>
      </Sheet>
    </DialogsPaused>,
  );

  expect(dialog()).toBeNull();
  expect(screen.queryByText("Text")).toBeNull();
});
