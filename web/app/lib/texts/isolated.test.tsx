import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { Introduction } from "../../features/profile/introduction.tsx";
import { TextArea, TextField } from "../../ui/forms/field.tsx";
import { MemberRow } from "../../ui/people.tsx";
import { render } from "../../testing/render.tsx";
import { isolated } from "./isolated.ts";

test.each(["שרה", "سارة", "Sarah שרה", "אבא (2)", "۱۲ سارة!"])("%s keeps its direction to itself", (name) => {
  expect(isolated(name)).toBe(`\u2068${name}\u2069`);
});

test.each(["Sarah", "さくら", "小美 2", "", "😀!"])("%j needs no mark", (name) => {
  expect(isolated(name)).toBe(name);
});

test("texts of members have the direction of their words", () => {
  render(
    <>
      <Introduction text="שלום!" />
      <TextField label="Hobby" />
      <TextArea label="About me" />
      <MemberRow
        party={{ user_id: "sara", username: "שרה.", icon: "/i.svg" }}
        label="Unblock"
        action={{ isBusy: false, start: () => undefined }}
      />
    </>,
  );

  expect(screen.getByText("שלום!").dir).toBe("auto");
  for (const field of screen.getAllByRole<HTMLInputElement>("textbox")) expect(field.dir).toBe("auto");
  expect(screen.getByText("שרה.").localName).toBe("bdi");
});
