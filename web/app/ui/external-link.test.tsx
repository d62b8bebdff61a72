import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { render, translations } from "../testing/render.tsx";
import { ExternalLink } from "./external-link.tsx";

const { open, stay } = translations.externalLink;

function renderLink() {
  return render(
    <ExternalLink to={new URL("https://exämple.com/page")} brand="Alcove">
      my friendly page
    </ExternalLink>,
  );
}

test("an external link shows the real host before it opens", async () => {
  const { user } = renderLink();

  await user.click(screen.getByRole("link", { name: "my friendly page" }));

  const dialog = await screen.findByRole("dialog");
  expect(dialog.textContent).toContain("xn--exmple-cua.com");
  const link = screen.getByRole<HTMLAnchorElement>("link", { name: open });
  expect(link.href).toBe("https://xn--exmple-cua.com/page");
  expect(link.rel).toBe("noopener noreferrer nofollow");
});

test("an external link asks too when the middle button is pressed", async () => {
  renderLink();

  fireEvent(
    screen.getByRole("link", { name: "my friendly page" }),
    new MouseEvent("auxclick", { bubbles: true, cancelable: true, button: 1 }),
  );

  expect(await screen.findByRole("dialog")).toBeTruthy();
});

test("an external link can be declined", async () => {
  const { user } = renderLink();
  await user.click(screen.getByRole("link", { name: "my friendly page" }));

  await user.click(await screen.findByRole("button", { name: stay }));

  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});
