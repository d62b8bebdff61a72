import type { ValidationErrors } from "@alcove/contract/fields";
import type { Visitor } from "../fixtures/visitor.ts";

/** Responds to every change of the visitor's own user with these field errors. */
export async function rejectUserChanges(
  { context, t }: Visitor,
  validation_errors: ValidationErrors,
): Promise<void> {
  await context.route("**/users/api/user", (route) =>
    route.request().method() === "PATCH"
      ? route.fulfill({
          status: 400,
          json: { code: "invalid_input", error_message: t.errors.invalid_input, validation_errors },
        })
      : route.continue(),
  );
}
