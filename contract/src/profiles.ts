import * as z from "zod/mini";
import { call } from "./call.ts";
import { filterFields, runsUpwards, User } from "./users.ts";

export const saveFilter = call({
  name: "saveFilter",
  summary: "Saves who the member looks for. Fields left out stay as they are.",
  method: "PATCH",
  path: "/users/api/user",
  access: "member",
  when: (filled) => [...filled].some((name) => name.startsWith("search_")),
  input: z.partial(z.object(filterFields)).check(
    z.refine((filter) => runsUpwards(filter.search_min_range, filter.search_max_range), {
      path: ["search_max_range"],
      error: "range_reversed",
    }),
    z.refine((filter) => runsUpwards(filter.search_min_age, filter.search_max_age), {
      path: ["search_max_age"],
      error: "range_reversed",
    }),
  ),
  answer: z.object({ user: User }),
  refusals: ["invalid_input"],
});
