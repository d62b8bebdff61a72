import { expect, test } from "vitest";
import { getUser } from "@alcove/contract/discovery";
import { NOTE_MAX, NOTES_MAX } from "@alcove/contract/limits";
import { addPost, answerQuestion, changePost, getPosts, getQuestion } from "@alcove/contract/notes";
import { questionOn } from "@alcove/contract/questions";
import { allTranslations } from "@alcove/i18n/all";
import { languages } from "@alcove/i18n";
import { endAnswers } from "../profiles/index.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { expectError } from "../testing/test-service.ts";

/** A Thursday. */
const THURSDAY = "2026-05-07T12:00:00Z";

async function hanakoOnThursday() {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { sex: "female" });
  const jiro = await service.member("jiro", { sex: "male" });
  service.clock.set(THURSDAY);
  return { service, hanako, jiro };
}

test("asks all members the week's question in their language, until the next Monday", async () => {
  const { hanako, jiro } = await hanakoOnThursday();
  const id = `q${questionOn("2026-05-07")}`;
  for (const language of languages) {
    const { question } = await hanako.call(getQuestion, {}, language);
    const text = (allTranslations[language].questions as Record<string, string>)[id];
    expect(question).toEqual({ id, text, ends_on: "2026-05-11", answer: null, visibility: null });
    expect(await jiro.call(getQuestion, {}, language)).toEqual({ question });
  }
});

test("replies beside ten notes, replaces the reply, and takes it back by an empty text", async () => {
  const { hanako, jiro } = await hanakoOnThursday();
  for (let i = 0; i < NOTES_MAX; i++) await hanako.call(addPost, { text: `${i}`, visibility: "secret" });
  const answer = async (text: string, visibility: "public" | "private" = "public") =>
    (await hanako.call(answerQuestion, { text, visibility })).question;
  const shown = async () => (await jiro.call(getUser, { userId: "hanako" })).user.posts;

  expect(await answer("A kingfisher.")).toMatchObject({ answer: "A kingfisher.", visibility: "public" });
  await answer("Two kingfishers.");

  const [post, ...others] = await shown();
  expect(others).toEqual([]);
  expect(post).toMatchObject({ text: "Two kingfishers.", kind: "week", day: "2026-05-07" });
  expect((await hanako.call(getPosts, {})).posts).toHaveLength(NOTES_MAX + 1);
  await hanako.call(changePost, { id: post!.id, text: "Three kingfishers.", visibility: "private" });
  const { question } = await hanako.call(getQuestion, {});
  expect(question).toMatchObject({ answer: "Three kingfishers.", visibility: "private" });
  expect(await shown()).toEqual([]);

  expect(await answer("")).toMatchObject({ answer: null, visibility: null });
  expect((await hanako.call(getPosts, {})).posts).toHaveLength(NOTES_MAX);
});

test("takes a text with its visibility, of a thousand characters at most", async () => {
  const { hanako } = await hanakoOnThursday();
  const errorsOf = async (input: object) =>
    (await expectError(hanako.call(answerQuestion, input as never), "invalid_input")).body[
      "validation_errors"
    ];
  expect(await errorsOf({ text: "A kingfisher." })).toEqual({ visibility: ["required"] });
  expect(await errorsOf({ visibility: "public" })).toEqual({ text: ["required"] });
  expect(await errorsOf({ text: "a".repeat(NOTE_MAX + 1), visibility: "all" })).toEqual({
    text: ["too_long"],
    visibility: ["unknown_choice"],
  });
  expect(await hanako.call(answerQuestion, { text: "" })).toMatchObject({ question: { answer: null } });
});

test("ends a reply after seven days, and destroys it", async () => {
  const { service, hanako, jiro } = await hanakoOnThursday();
  await hanako.call(answerQuestion, { text: "A kingfisher.", visibility: "public" });
  const shown = async () =>
    (await jiro.call(getUser, { userId: "hanako" })).user.posts.map(({ text }) => text);
  const waiting = async () =>
    service.db
      .selectFrom("profiles")
      .select(["member_no", "answer_ends_on"])
      .where("answer_ends_on", "is not", null)
      .execute();

  service.clock.set("2026-05-13T23:59:59Z");
  expect(await shown()).toEqual(["A kingfisher."]);
  const { question } = await hanako.call(getQuestion, {});
  expect(question).toMatchObject({ answer: null, ends_on: "2026-05-18" });
  await endAnswers(service.ctx);
  expect(await waiting()).toEqual([{ member_no: hanako.memberId, answer_ends_on: "2026-05-14" }]);

  service.clock.set("2026-05-14T00:00:00Z");
  expect(await shown()).toEqual([]);
  expect((await hanako.call(getPosts, {})).posts).toEqual([]);
  await endAnswers(service.ctx);
  expect(await waiting()).toEqual([]);
});
