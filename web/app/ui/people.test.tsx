import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { render } from "../testing/render.tsx";
import { MemberRow } from "./people.tsx";

test("a member's row describes its button by name and user id", async () => {
  const start = vi.fn();
  const party = { user_id: "taro", username: "Taro", icon: "/taro.png" };
  const { user } = render(
    <ul>
      <MemberRow party={party} label="Unblock" action={{ isBusy: false, start }} />
    </ul>,
  );

  await user.click(screen.getByRole("button", { name: "Unblock", description: "Taro taro" }));

  expect(start).toHaveBeenCalledOnce();
});
