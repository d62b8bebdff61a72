import { useState } from "react";
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { render, translations } from "../../testing/render.tsx";
import { AreaMap, type Offset } from "./area-map.tsx";

const t = translations.hiddenAreas;

function MovableMap() {
  const [offset, setOffset] = useState<Offset>({ east: 0, north: 0 });
  return (
    <>
      <AreaMap offset={offset} radiusKm={5} onChange={setOffset} />
      <output>{`${offset.east},${offset.north}`}</output>
    </>
  );
}

test("moves by arrow keys and buttons in steps of 5 km, names the place, and stays on the map", async () => {
  const { user } = render(<MovableMap />);
  expect(screen.getByText(t.whereHere, { exact: false })).toBeTruthy();

  await user.tab();
  await user.keyboard("{ArrowUp}{ArrowUp}{ArrowLeft}");
  expect(document.querySelector("output")!.textContent).toBe("-5,10");
  await user.click(screen.getByRole("button", { name: t.east }));
  await user.click(screen.getByRole("button", { name: t.south }));

  expect(document.querySelector("output")!.textContent).toBe("0,5");
  for (let i = 0; i < 12; i++) await user.click(screen.getByRole("button", { name: t.south }));
  expect(document.querySelector("output")!.textContent).toBe("0,-40");
});
