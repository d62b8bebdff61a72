import { fireEvent, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { render, translations } from "../../testing/render.tsx";
import { SettingsMenu } from "./settings-menu.tsx";

const t = translations.settings;

test("finds settings by their names, in any case and width, and states when none has it", () => {
  render(<SettingsMenu summary={null} isProfileOpen={false} onLogout={() => undefined} />);
  const rows = () => screen.getAllByRole("listitem").map(({ textContent }) => textContent);
  const all = rows().length;
  const field = screen.getByRole("searchbox", { name: t.search });
  const search = (value: string) => fireEvent.change(field, { target: { value } });

  search("ｐｉｎ");
  expect(rows().some((row) => row.startsWith(t.pin))).toBe(true);
  expect(rows().length).toBeLessThan(all);

  search("no such thing");
  expect(screen.queryAllByRole("listitem")).toEqual([]);
  expect(screen.getByRole("status").textContent).toBe(t.searchNone);

  search("");
  expect(rows()).toHaveLength(all);
});
