import type { ShouldRevalidateFunctionArgs } from "react-router";

/**
 * For a screen whose form disappears with the new data, and its result with it. `onDone` gives notice and then revalidates.
 */
export function shouldRevalidate({ formData, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return formData === undefined && defaultShouldRevalidate;
}
