import * as z from "zod/mini";
import { call } from "./call.ts";
import { READ, write } from "./costs.ts";
import { Day, fillable, IconFile, ImageFile, keepable, Location, messageKey, text } from "./fields.ts";
import { AREA_RADII, PICTURE_PATH_MAX, PICTURES_MAX } from "./limits.ts";
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
  showsEverywhere: true,
  when: (filled) => [...filled].some((name) => name.startsWith("search_")),
  costs: write("filter_changes"),
  input: z.partial(z.object(filterChangeFields)).check(...changedRangeChecks),
  response: z.object({ user: User }),
  errors: ["invalid_input", "distance_changes_used_up"],
});

export const saveVisibility = call({
  name: "saveVisibility",
  summary:
    "Hides the member from all but matches (`paused`), until the day `paused_until` begins in their time zone if it is set; or from all but matches and members whom they liked (`only_liked`). Absent fields stay unchanged. The end of a pause clears its day.",
  method: "PATCH",
  path: "/users/api/user",
  access: "member",
  showsEverywhere: true,
  when: (filled) => ["paused", "paused_until", "only_liked"].some((name) => filled.has(name)),
  costs: write("visibility_changes"),
  input: z.object({
    paused: keepable(z.boolean()),
    paused_until: fillable(Day),
    only_liked: keepable(z.boolean()),
  }),
  response: z.object({ user: User }),
  errors: ["invalid_input"],
});

/** Kilometres around the place. */
const Radius = z.literal(AREA_RADII, messageKey("unknown_choice"));

/** The area is a set of fixed cells. `location` is the centre of one, as `[longitude, latitude]`. */
const HiddenArea = z.object({
  id: z.string(),
  location: z.tuple([z.number(), z.number()]),
  radius: z.int(),
});
export type HiddenArea = z.infer<typeof HiddenArea>;
const HiddenAreas = z.object({ areas: z.array(HiddenArea) });

export const getHiddenAreas = call({
  name: "getHiddenAreas",
  summary: "Returns the areas in which the caller hides.",
  method: "GET",
  path: "/users/api/hidden-areas",
  access: "member",
  costs: READ,
  input: z.object({}),
  response: HiddenAreas,
});

export const addHiddenArea = call({
  name: "addHiddenArea",
  summary:
    "Hides the caller and members who had a counted position in an area within the last 30 days from each other, but for matches. One area a day, three in all.",
  method: "POST",
  path: "/users/api/hidden-areas",
  access: "member",
  showsEverywhere: true,
  costs: write("area_changes"),
  input: z.object({ location: Location, radius: Radius }),
  response: HiddenAreas,
  errors: ["invalid_input", "too_many_areas", "area_changes_used_up"],
});

export const removeHiddenArea = call({
  name: "removeHiddenArea",
  summary: "Removes an area at once, at any time.",
  method: "DELETE",
  path: "/users/api/hidden-areas",
  access: "member",
  showsEverywhere: true,
  costs: write("area_changes"),
  input: z.object({ id: z.uuid({ error: "invalid" }) }),
  response: HiddenAreas,
  errors: ["invalid_input", "not_found"],
});

const pictureFields = {
  icon: fillable(ImageFile),
  /** Whether the picture is shown processed. A processed picture stays processed until a new one is sent. */
  icon_process: fillable(z.boolean()),
  /** Whether the clear version of a processed picture is kept for chosen matches; default for a new picture: no. */
  keep_clear_icon: fillable(z.boolean()),
};

const profileInput = z.object({ ...profileChangeFields, ...pictureFields }).check(...heightChecks);

export const saveProfile = call({
  name: "saveProfile",
  summary:
    "Saves profile fields and the first picture. Absent fields stay unchanged; an empty optional field becomes null.",
  method: "PATCH",
  path: "/users/api/user",
  access: "member",
  showsEverywhere: true,
  when: (filled) => filled.size === 0 || Object.keys(profileInput.shape).some((name) => filled.has(name)),
  costs: write("profile_changes"),
  input: profileInput,
  response: z.object({ user: User }),
  errors: ["invalid_input", "not_an_image", "too_large", "too_many_requests", "media_unavailable"],
});

const pictureErrors = [
  "invalid_input",
  "not_an_image",
  "too_large",
  "too_many_requests",
  "media_unavailable",
] as const;
const PicturePath = text(PICTURE_PATH_MAX);

export const addPicture = call({
  name: "addPicture",
  summary: "Adds a picture after the others, up to three. It is processed unless `icon_process` is no.",
  method: "POST",
  path: "/users/api/pictures",
  access: "member",
  showsEverywhere: true,
  costs: write("picture_changes"),
  input: z.object({ ...pictureFields, icon: IconFile }),
  response: z.object({ user: User }),
  errors: [...pictureErrors, "pictures_full"],
});

export const changePicture = call({
  name: "changePicture",
  summary: "Replaces a picture at its place, processes it, or changes whether its clear version is kept.",
  method: "PATCH",
  path: "/users/api/pictures",
  access: "member",
  showsEverywhere: true,
  when: (filled) => !filled.has("pictures"),
  costs: write("picture_changes"),
  input: z.object({ ...pictureFields, picture: PicturePath }),
  response: z.object({ user: User }),
  errors: [...pictureErrors, "picture_not_found"],
});

export const orderPictures = call({
  name: "orderPictures",
  summary: "Orders the pictures: the paths of all of them, separated by commas. The first becomes the icon.",
  method: "PATCH",
  path: "/users/api/pictures",
  access: "member",
  showsEverywhere: true,
  when: (filled) => filled.has("pictures"),
  costs: write("picture_changes"),
  input: z.object({ pictures: text(PICTURE_PATH_MAX * PICTURES_MAX) }),
  response: z.object({ user: User }),
  errors: ["invalid_input", "picture_not_found"],
});

export const removePicture = call({
  name: "removePicture",
  summary: "Deletes a picture. The only one can be replaced, but not deleted.",
  method: "DELETE",
  path: "/users/api/pictures",
  access: "member",
  showsEverywhere: true,
  costs: write("picture_changes"),
  input: z.object({ picture: PicturePath }),
  response: z.object({ user: User }),
  errors: ["invalid_input", "picture_not_found", "picture_required"],
});

export const previewIcon = call({
  name: "previewIcon",
  summary: "Returns a picture as processing will show it. Nothing is stored.",
  method: "POST",
  path: "/users/api/icon-preview",
  access: "member",
  costs: write("icon_previews", { max: 30, per: "hour" }),
  input: z.object({ icon: IconFile }),
  response: IconPreview,
  errors: ["invalid_input", "not_an_image", "too_large", "too_many_requests", "preview_unavailable"],
});
