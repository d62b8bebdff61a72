import * as z from "zod/mini";
import { call } from "./call.ts";
import { fillable, IconFile, ImageFile } from "./fields.ts";
import {
  changedRangeChecks,
  filterChangeFields,
  heightChecks,
  IconPreview,
  profileChangeFields,
  User,
} from "./users.ts";

export const saveFilter = call({
  name: "saveFilter",
  summary:
    "Saves the member's search filter. Absent fields stay unchanged. The distance can be changed 6 times in 24 hours.",
  method: "PATCH",
  path: "/users/api/user",
  access: "member",
  when: (filled) => [...filled].some((name) => name.startsWith("search_")),
  input: z.partial(z.object(filterChangeFields)).check(...changedRangeChecks),
  response: z.object({ user: User }),
  errors: ["invalid_input", "distance_changes_used_up"],
});

const profileInput = z
  .object({
    ...profileChangeFields,
    icon: fillable(ImageFile),
    /** Whether the picture is shown processed. A processed picture stays processed until a new one is sent. */
    icon_process: fillable(z.boolean()),
    /** Whether the clear version of a processed picture is kept for chosen matches; default for a new picture: no. */
    keep_clear_icon: fillable(z.boolean()),
  })
  .check(...heightChecks);

export const saveProfile = call({
  name: "saveProfile",
  summary:
    "Saves profile fields and the picture. Absent fields stay unchanged; an empty optional field becomes null.",
  method: "PATCH",
  path: "/users/api/user",
  access: "member",
  // An empty change is valid.
  when: (filled) => filled.size === 0 || Object.keys(profileInput.shape).some((name) => filled.has(name)),
  input: profileInput,
  response: z.object({ user: User }),
  errors: ["invalid_input", "not_an_image", "too_large", "too_many_requests", "media_unavailable"],
});

export const previewIcon = call({
  name: "previewIcon",
  summary: "Returns a picture as processing will show it. Nothing is stored.",
  method: "POST",
  path: "/users/api/icon-preview",
  access: "member",
  input: z.object({ icon: IconFile }),
  response: IconPreview,
  errors: ["invalid_input", "not_an_image", "too_large", "too_many_requests", "preview_unavailable"],
});
