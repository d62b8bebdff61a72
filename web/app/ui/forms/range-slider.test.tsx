import { fireEvent, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { render, translations } from "../../testing/render.tsx";
import { RangeSlider } from "./range-slider.tsx";
import styles from "./range-slider.module.css";

function renderAges(values: [number, number], error?: "required") {
  const { user } = render(
    <form>
      <RangeSlider
        label="Age"
        names={["search_min_age", "search_max_age"]}
        thumbs={["Youngest", "Oldest"]}
        limits={{ min: 18, max: 120 }}
        values={values}
        format={(low, high) => `${low} to ${high}`}
        hint="It counts in steps."
        error={error}
      />
    </form>,
  );
  const youngest = screen.getByRole<HTMLInputElement>("slider", { name: "Youngest" });
  const oldest = screen.getByRole<HTMLInputElement>("slider", { name: "Oldest" });
  const sent = () => Object.fromEntries(new FormData(document.querySelector("form")!).entries());
  return { user, youngest, oldest, sent };
}

test("a range slider is a named group that shows and sends both values", () => {
  const { youngest, oldest, sent } = renderAges([30, 50]);

  expect(screen.getByRole("group", { name: "Age" }).contains(youngest)).toBe(true);
  expect(screen.getByRole("status").textContent).toBe("30 to 50");
  expect(oldest.getAttribute("aria-valuetext")).toBe("30 to 50");
  expect([youngest.value, oldest.value]).toEqual(["30", "50"]);
  expect(sent()).toEqual({ search_min_age: "30", search_max_age: "50" });
});

test("a thumb moves by 10 when a Page key is pressed, and stops at the other thumb", async () => {
  const { user, youngest, sent } = renderAges([30, 45]);

  youngest.focus();
  await user.keyboard("{PageUp}");
  expect(sent()).toMatchObject({ search_min_age: "40" });
  await user.keyboard("{PageUp}{PageUp}");
  expect(sent()).toMatchObject({ search_min_age: "45", search_max_age: "45" });
  await user.keyboard("{PageDown}{PageDown}{PageDown}");

  expect(sent()).toMatchObject({ search_min_age: "18", search_max_age: "45" });
});

test("the upper thumb stops at the end of the track and at the lower thumb", async () => {
  const { user, oldest, sent } = renderAges([30, 115]);

  oldest.focus();
  await user.keyboard("{PageUp}");
  expect(sent()).toMatchObject({ search_max_age: "120" });
  fireEvent.change(oldest, { target: { value: "20" } });

  expect(sent()).toEqual({ search_min_age: "30", search_max_age: "30" });
});

test("a thumb loses the focus to the wheel, which moves a focused one in Firefox", () => {
  const { youngest } = renderAges([30, 50]);

  youngest.focus();
  expect(document.activeElement).toBe(youngest);
  fireEvent.wheel(youngest, { deltaY: 3 });

  expect(document.activeElement).not.toBe(youngest);
});

test("a stored value below the track is sent unchanged until its thumb moves", () => {
  const { youngest, oldest, sent } = renderAges([0, 50]);

  expect(youngest.value).toBe("18");
  fireEvent.change(oldest, { target: { value: "60" } });
  expect(sent()).toEqual({ search_min_age: "0", search_max_age: "60" });
  fireEvent.change(youngest, { target: { value: "19" } });

  expect(sent()).toEqual({ search_min_age: "19", search_max_age: "60" });
});

test("the lower thumb lies in front when both thumbs are at the end of the track", () => {
  const { youngest } = renderAges([120, 120]);

  expect(youngest.className).toBe(styles.front);
});

test("both thumbs have the help text as description", () => {
  renderAges([30, 50]);

  expect(screen.getAllByRole("slider", { description: "It counts in steps." })).toHaveLength(2);
});

test("both thumbs describe the error before the help text", () => {
  renderAges([30, 50], "required");

  const description = `${translations.fields.required} It counts in steps.`;
  expect(screen.getAllByRole("slider", { description })).toHaveLength(2);
});
