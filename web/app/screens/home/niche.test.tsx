import { cleanup, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { render, translations } from "../../testing/render.tsx";
import { Niche } from "./niche.tsx";
import { useNiche } from "./use-niche.ts";

const t = translations.home;
const CAME_AT = new Date("2026-05-01T20:00:00").toISOString();

function Card({ id, cameAt }: { id: string; cameAt: string | undefined }) {
  const niche = useNiche({ user_id: id }, cameAt);
  const yesterday = niche.isUnseen && <p role="note" />;
  if (niche.isClosed)
    return (
      <>
        {yesterday}
        <Niche
          cameAt={niche.isUnopened ? new Date(cameAt!) : null}
          takesFocus={niche.last === "closed"}
          onOpen={niche.open}
        />
      </>
    );
  return (
    <>
      {yesterday}
      <article aria-label={id} />
      <button type="button" onClick={niche.close}>
        {t.later}
      </button>
    </>
  );
}

const openButton = () => screen.queryByRole("button", { name: "Open today's card" });
const isShown = (id: string) => screen.queryByRole("article", { name: id }) !== null;

test("a card that came at a chosen hour waits behind its niche, opens once, and stays open after a reload", async () => {
  const { user } = render(<Card id="taro" cameAt={CAME_AT} />);
  expect(isShown("taro")).toBe(false);
  expect(screen.getByText("20:00")).toBeTruthy();
  expect(screen.getByRole("button", { description: t.cameAt.replace("{time}", "20:00") })).toBe(openButton());

  await user.click(openButton()!);

  expect(await screen.findByRole("article", { name: "taro" })).toBeTruthy();
  cleanup();
  render(<Card id="taro" cameAt={CAME_AT} />);
  expect(isShown("taro")).toBe(true);
  cleanup();
  render(<Card id="jiro" cameAt={new Date("2026-05-02T20:00:00").toISOString()} />);
  expect(isShown("jiro")).toBe(false);
});

test("yesterday's card can come back until the new one is opened, not after Later, and beside a card without an hour", async () => {
  const isOffered = () => screen.queryByRole("note") !== null;
  const { user } = render(<Card id="saburo" cameAt={new Date("2026-05-03T20:00:00").toISOString()} />);
  expect(isOffered()).toBe(true);

  await user.click(openButton()!);
  await screen.findByRole("article", { name: "saburo" });
  expect(isOffered()).toBe(false);
  await user.click(screen.getByRole("button", { name: t.later }));
  expect([isShown("saburo"), isOffered()]).toEqual([false, false]);

  cleanup();
  const other = render(<Card id="shiro" cameAt={undefined} />);
  expect(isOffered()).toBe(true);
  await other.user.click(screen.getByRole("button", { name: t.later }));
  expect(isOffered()).toBe(true);
});

test("other cards show at once", () => {
  render(<Card id="taro" cameAt={undefined} />);

  expect(isShown("taro")).toBe(true);
});

test("a card that was put off stays closed on other screens, until its button opens it", async () => {
  const { user } = render(<Card id="goro" cameAt={undefined} />);

  await user.click(screen.getByRole("button", { name: t.later }));

  expect(isShown("goro")).toBe(false);
  expect(document.activeElement).toBe(openButton());
  cleanup();
  render(<Card id="goro" cameAt={undefined} />);
  expect(screen.getByRole("heading", { name: t.cardPutOff })).toBeTruthy();
  await user.click(openButton()!);
  expect(isShown("goro")).toBe(true);
});
