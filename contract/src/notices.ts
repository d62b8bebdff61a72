import * as z from "zod/mini";
import { call } from "./call.ts";
import { FREE } from "./costs.ts";
import { choice, Email, fillable, ImageFile, messageKey, text } from "./fields.ts";
import { CONTACT_MAX, NOTICE_URL_MAX, USERNAME_MAX } from "./limits.ts";

export const noticeKinds = ["illegal", "intimate", "picture", "child", "other"] as const;
export type NoticeKind = (typeof noticeKinds)[number];

const namesContent = z.refine<{ text?: unknown; url?: unknown; userId?: unknown; file?: unknown }>(
  ({ text: what, url, userId, file }) => [what, url, userId, file].some((value) => value != null),
  { path: ["text"], error: messageKey("required"), when: () => true },
);

/** Owning a picture of this kind is a crime, so the call rejects it. */
const hasNoPictureOfAChild = z.refine<{ kind?: unknown; file?: unknown }>(
  ({ kind, file }) => kind !== "child" || file == null,
  { path: ["file"], error: messageKey("no_picture_of_child"), when: () => true },
);

export const sendNotice = call({
  name: "sendNotice",
  method: "POST",
  path: "/api/notice",
  access: "visitor",
  summary:
    "Takes a notice of anybody about illegal content, or about a picture of them. One of `text`, `url`, `userId` and `file` must be there, and no `file` for `child`. Response, emails and their times do not depend on whether a person, user id or picture is here.",
  costs: FREE,
  input: z
    .object({
      kind: choice(noticeKinds),
      text: fillable(text(CONTACT_MAX)),
      url: fillable(text(NOTICE_URL_MAX)),
      /** Any text: a wrong user id is no error. */
      userId: fillable(text(100)),
      file: fillable(ImageFile),
      name: text(USERNAME_MAX),
      email: Email,
      good_faith: z.literal(["yes", "true", "on", "1", true], { error: messageKey("good_faith_required") }),
      recaptchaAction: z.optional(z.string()),
      recaptchaToken: z.optional(z.nullable(z.string())),
    })
    .check(namesContent, hasNoPictureOfAChild),
  response: z.object({ number: z.string() }),
  errors: ["invalid_input", "not_an_image", "too_large", "too_many_requests", "media_unavailable"],
});
