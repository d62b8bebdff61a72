import { screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { questionOn } from "@alcove/contract/questions";
import type { Post } from "@alcove/contract/users";
import { render, translations } from "../../testing/render.tsx";
import { Notes, WeekAnswer } from "./notes.tsx";

const note = (id: string, fields: Partial<Post> = {}): Post => ({
  id,
  text: `Note ${id}. https://example.com/${id}`,
  visibility: "public",
  kind: "note",
  day: "2026-05-05",
  ...fields,
});
const answer = note("a", { kind: "week", text: "A kingfisher.", day: "2026-05-07" });
const question = (translations.questions as Record<string, string>)[`q${questionOn("2026-05-07")}`]!;

test("shows the reply with its question first, and links as plain text", async () => {
  render(<Notes posts={[note("1"), answer, note("2")]} hint="Later." />);
  await screen.findByText(question);
  const items = screen.getAllByRole("listitem");
  expect(items.map(({ textContent }) => textContent)).toEqual([
    `${question}A kingfisher.2026/05/07`,
    "Note 1. https://example.com/12026/05/05",
    "Note 2. https://example.com/22026/05/05",
  ]);
  expect(screen.getByText("Later.")).toBeTruthy();
  expect(screen.queryByRole("link")).toBeNull();
  expect(screen.queryByRole("button")).toBeNull();
});

test("renders texts as its screen wants for a match, and names the note to reply to", async () => {
  const reply = vi.fn<(post: Post) => void>();
  const { user } = render(
    <Notes posts={[note("1"), note("2")]} renderText={(text) => <a href="/">{text}</a>} onReply={reply} />,
  );
  const [, second] = screen.getAllByRole("listitem");
  expect(within(second!).getByRole("link", { name: note("2").text })).toBeTruthy();
  await user.click(within(second!).getByRole("button", { name: /Note 2/ }));
  expect(reply.mock.calls).toEqual([[note("2")]]);
});

test("shows nothing without notes, and on a card nothing but the reply", () => {
  render(
    <main>
      <Notes posts={[]} hint="Later." />
      <WeekAnswer posts={[note("1")]} />
    </main>,
  );
  expect(screen.getByRole("main").textContent).toBe("");
});
