import { act, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { useBanners } from "../../lib/page/banner.ts";
import { OfflineError } from "../../lib/api/errors.ts";
import { publicUser } from "../../testing/fixtures.ts";
import { render, translations } from "../../testing/render.tsx";
import { Chat } from "./chat.tsx";
import type { NotesView } from "./empty-chat.tsx";
import { changeDraft, clearDrafts } from "./drafts.ts";
import { apiError, FakeChat, friend, me } from "./conversation/fake-chat.ts";

const t = translations.chat;
const profile = publicUser({
  ...friend,
  age: 43,
  description: "I like rooms with good light and long lunches.",
  posts: [{ id: "n1", text: "On the river at six.", visibility: "public", kind: "note", day: "2026-05-05" }],
});

afterEach(clearDrafts);

const ListedNotes: NotesView = ({ posts, onReply }) =>
  posts.map((post) => (
    <button key={post.id} type="button" onClick={() => onReply(post)}>
      {post.text}
    </button>
  ));

function BannerKeys() {
  return <output>{useBanners().map(({ key }) => key)}</output>;
}

function renderChat(chat: FakeChat, showsTyping = false, onReport: (id: string) => void = () => undefined) {
  return render(
    <>
      <Chat
        friend={profile}
        conversation={chat.conversation}
        matchedOn="2026-11-20"
        facts="43"
        showsTyping={showsTyping}
        wantsPictures
        Notes={ListedNotes}
        menu={null}
        onReport={onReport}
      />
      <BannerKeys />
    </>,
  );
}

test("sends a rejected message again when the member presses Retry, and keeps the focus in the log", async () => {
  const chat = new FakeChat();
  await chat.conversation.catchUp();
  const { user } = renderChat(chat);
  await user.type(screen.getByRole("textbox", { name: t.write }), "hello");
  chat.errors.push(apiError("too_many_requests", 429));
  await user.click(screen.getByRole("button", { name: t.send }));
  expect(await screen.findByText(t.notSent)).toBeTruthy();

  await user.click(screen.getByRole("button", { name: t.retry }));

  expect(document.activeElement).toBe(screen.getByRole("region", { name: t.messages }));
  await expect.poll(() => screen.queryByText(t.notSent)).toBeNull();
  expect(chat.shown).toEqual(["hello sent"]);
});

test("replies to a note with it as the quote, once", async () => {
  const chat = new FakeChat();
  await chat.conversation.catchUp();
  changeDraft(friend.user_id, { noteId: "n1" });
  const { user } = renderChat(chat);
  const quote = { name: /^Reply to .*note$/ };
  expect(screen.getByRole("group", quote).textContent).toContain("On the river at six.");

  await user.type(screen.getByRole("textbox", { name: t.write }), "Which bridge?");
  await user.click(screen.getByRole("button", { name: t.send }));

  expect(screen.queryByRole("group", quote)).toBeNull();
});

test("removes a rejected message when the member discards it", async () => {
  const chat = new FakeChat();
  await chat.conversation.catchUp();
  chat.errors.push(apiError("unexpected", 500));
  await chat.conversation.send("hello", null);
  const { user } = renderChat(chat);

  await user.click(screen.getByRole("button", { name: t.discard }));

  expect(screen.queryByText("hello")).toBeNull();
  expect(screen.getByText(t.openersHint)).toBeTruthy();
});

test("shows that a message waits for the connection until it is sent", async () => {
  const chat = new FakeChat();
  await chat.conversation.catchUp();
  chat.errors.push(new OfflineError());
  await chat.conversation.send("hello", null);
  renderChat(chat);
  expect(screen.getByText(t.waiting)).toBeTruthy();
  expect(screen.queryByRole("button", { name: t.retry })).toBeNull();

  await act(() => chat.conversation.catchUp());

  expect(screen.queryByText(t.waiting)).toBeNull();
  expect(screen.getByText("hello")).toBeTruthy();
});

test("offers to load the messages again when the first page fails", async () => {
  const chat = new FakeChat();
  chat.store("welcome");
  chat.errors.push(new OfflineError());
  await chat.conversation.catchUp();
  const { user } = renderChat(chat);
  expect(screen.getByRole("heading", { name: t.failedToLoad })).toBeTruthy();

  await user.click(screen.getByRole("button", { name: t.again }));

  expect(await screen.findByText("welcome")).toBeTruthy();
});

test("shows neither messages nor composer when the conversation is lost", async () => {
  const chat = new FakeChat();
  chat.store("hello");
  await chat.conversation.catchUp();
  renderChat(chat);
  expect(screen.getByText("hello")).toBeTruthy();

  act(() => chat.conversation.close());

  expect(screen.getByRole("heading", { name: t.closed })).toBeTruthy();
  expect(screen.queryByText("hello")).toBeNull();
  expect(screen.queryByRole("textbox")).toBeNull();
});

test.each([
  ["a text file", new File(["x"], "note.txt", { type: "text/plain" }), "fields.not_an_image"],
  [
    "a huge image",
    new File([new Uint8Array(11_000_000)], "a.png", { type: "image/png" }),
    "fields.image_too_large",
  ],
])("shows an error and keeps the text when %s is attached", async (_, file, key) => {
  const chat = new FakeChat();
  await chat.conversation.catchUp();
  const { user } = renderChat(chat);
  await user.type(screen.getByRole("textbox", { name: t.write }), "look");

  fireEvent.change(document.querySelector("input[type=file]")!, { target: { files: [file] } });

  expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: t.write }).value).toBe("look");
  expect(document.querySelector("output")?.textContent).toContain(key);
  expect(screen.queryByRole("button", { name: t.removeImage })).toBeNull();
});

test.each([
  ["notifies the friend of typing when the member shows it, but not of spaces", true],
  ["does not notify the friend of typing unless the member shows it", false],
])("%s", async (_, showsTyping) => {
  const chat = new FakeChat();
  await chat.conversation.catchUp();
  const { user } = renderChat(chat, showsTyping);
  const field = screen.getByRole("textbox", { name: t.write });

  await user.type(field, "  ");
  expect(chat.typed).toBe(0);
  await user.type(field, "hello");

  expect(chat.typed).toBe(showsTyping ? 1 : 0);
});

test("shows that the friend is typing outside of the live log", async () => {
  const chat = new FakeChat();
  await chat.conversation.catchUp();
  renderChat(chat);
  const sign = { name: t.typing.replace("{name}", friend.username) };
  expect(screen.queryByRole("img", sign)).toBeNull();

  act(() => chat.conversation.handleTyping());

  expect(screen.getByRole("img", sign).closest("[role=log]")).toBeNull();
});

const png = new File(["x"], "image.png", { type: "image/png" });
const pdf = new File(["x"], "plan.pdf", { type: "application/pdf" });

function transfer(files: File[], text = ""): DataTransfer {
  const data = new DataTransfer();
  for (const file of files) data.items.add(file);
  if (text !== "") data.setData("text/plain", text);
  return data;
}

test.each([
  ["a cell and its picture", [png], "A1\tB1", false],
  ["words and their picture", [png], "a paragraph", false],
  ["a picture alone", [png], "", true],
  ["a copied file, with its name", [png], "image.png", true],
  ["a picture, with a blank", [png], " \n", true],
  ["a picture, with a character that nobody sees", [png], "\u200B", true],
  ["a picture behind another file", [pdf, png], "", true],
  ["words alone", [], "hello", false],
])("attaches a picture from %s only when no text is beside it", async (_, files, text, isAttached) => {
  const chat = new FakeChat();
  await chat.conversation.catchUp();
  renderChat(chat);
  const field = screen.getByRole("textbox", { name: t.write });

  const isPasted = fireEvent.paste(field, { clipboardData: transfer(files, text) });

  expect(isPasted).toBe(!isAttached);
  expect(screen.queryByRole("button", { name: t.removeImage }) !== null).toBe(isAttached);
});

test("inserts dragged text, attaches a dropped picture and rejects another file", async () => {
  const chat = new FakeChat();
  await chat.conversation.catchUp();
  renderChat(chat);
  const field = screen.getByRole("textbox", { name: t.write });

  expect(fireEvent.drop(field, { dataTransfer: transfer([], "dragged words") })).toBe(true);
  expect(fireEvent.drop(field, { dataTransfer: transfer([pdf]) })).toBe(false);
  expect(document.querySelector("output")?.textContent).toContain("fields.not_an_image");
  expect(screen.queryByRole("button", { name: t.removeImage })).toBeNull();
  expect(fireEvent.drop(field, { dataTransfer: transfer([png]) })).toBe(false);
  expect(screen.getByRole("button", { name: t.removeImage })).toBeTruthy();
});

test.each([
  ["composes", { isComposing: true, keyCode: 13 }],
  ["ends a composition, as Safari reports it", { isComposing: false, keyCode: 229 }],
])("does not send by the Enter that %s", async (_, event) => {
  const chat = new FakeChat();
  await chat.conversation.catchUp();
  const { user } = renderChat(chat);
  const field = screen.getByRole("textbox", { name: t.write });
  await user.type(field, "こんにちは");

  fireEvent.keyDown(field, { key: "Enter", ...event });
  expect(chat.shown).toEqual([]);
  fireEvent.keyDown(field, { key: "Enter", keyCode: 13 });

  await expect.poll(() => chat.shown).toEqual(["こんにちは sent"]);
});

test("opens the menu of a message when its text is tapped", async () => {
  const chat = new FakeChat();
  chat.store("hello");
  await chat.conversation.catchUp();
  renderChat(chat);

  fireEvent(screen.getByText("hello"), new PointerEvent("click", { pointerType: "touch", bubbles: true }));

  expect(await screen.findByRole("menu")).toBeTruthy();
});

test("a message has the direction of its words", async () => {
  const chat = new FakeChat();
  chat.store("שלום! (hello)");
  await chat.conversation.catchUp();
  renderChat(chat);

  expect(screen.getByText("שלום! (hello)").dir).toBe("auto");
  expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: t.write }).dir).toBe("auto");
});

const ASKS_FOR_MONEY = "Please send me 500 dollars by Western Union, I will pay you back.";
const ASKS_TO_MOVE = "I never open this app. Add me on WhatsApp, my number is +44 7700 900123.";

test("warns under a friend's message, explains it and offers to report it, without a call", async () => {
  const chat = new FakeChat();
  chat.store(ASKS_FOR_MONEY, me);
  const dm = chat.store(ASKS_FOR_MONEY);
  await chat.conversation.catchUp();
  const reported: string[] = [];
  const { user } = renderChat(chat, false, (id) => reported.push(id));
  expect(await screen.findAllByText(t.warning_money)).toHaveLength(1);
  // A request would fail: the server of this chat is gone.
  chat.errors.push(new OfflineError());

  await user.click(screen.getByRole("button", { name: t.warningWhat }));
  expect(await screen.findByText(t.warningText_money)).toBeTruthy();
  expect(screen.getByRole("link", { name: translations.safety.threat }).getAttribute("href")).toBe(
    `/en/threat?userId=${friend.user_id}`,
  );
  await user.click(screen.getByRole("button", { name: t.warningReport }));

  expect(reported).toEqual([dm.id]);
  expect(chat.errors).toHaveLength(1);
});

test("warns of another app in the first ten messages of a match, and of money in all", async () => {
  const chat = new FakeChat();
  for (let i = 0; i < 9; i++) chat.store("hello");
  for (let i = 0; i < 2; i++) chat.store(ASKS_TO_MOVE);
  chat.store(ASKS_FOR_MONEY);
  await chat.conversation.catchUp();
  renderChat(chat);
  expect(await screen.findAllByText(t.warning_money)).toHaveLength(1);
  await expect.poll(() => screen.queryAllByText(t.warning_move).length).toBe(1);
});

test("reacts in the menu of a message, shows both reactions in words, and takes the own one back", async () => {
  const chat = new FakeChat();
  const { id } = chat.store("Good evening.");
  await chat.conversation.catchUp();
  const { user } = renderChat(chat);
  const choose = async (name: string) => {
    await user.click(screen.getByRole("button", { name: t.options }));
    const option = await screen.findByRole("menuitemradio", { name });
    const isChecked = option.getAttribute("aria-checked");
    await user.click(option);
    return isChecked;
  };
  const own = t.ownReaction.replace("{reaction}", t.reaction_yes);

  expect(await choose(t.reaction_yes)).toBe("false");
  expect(await screen.findByText(own)).toBeTruthy();
  act(() => chat.conversation.handleReaction(id, friend.user_id, "laugh"));
  const others = t.reactionOf.replace("{name}", "Taro").replace("{reaction}", t.reaction_laugh);
  expect(screen.getByText(others)).toBeTruthy();

  expect(await choose(t.reaction_yes)).toBe("true");
  await expect.poll(() => screen.queryByText(own)).toBeNull();
  expect(chat.reacted).toEqual(["yes", null]);
  expect(screen.getByText(others)).toBeTruthy();
});

test("begins an empty conversation with a note of the friend as the quote", async () => {
  const chat = new FakeChat();
  await chat.conversation.catchUp();
  const { user } = renderChat(chat);
  expect(screen.getByText(t.openersHint)).toBeTruthy();

  await user.click(screen.getByRole("button", { name: "On the river at six." }));

  const quote = screen.getByRole("group", { name: t.replyToNote.replace("{name}", "Taro") });
  expect(quote.textContent).toContain("On the river at six.");
  expect(document.activeElement).toBe(screen.getByRole("textbox", { name: t.write }));

  act(() => chat.conversation.handleMessage(chat.store("Good evening.")));
  expect(screen.queryByRole("button", { name: "On the river at six." })).toBeNull();
});
