import type { ReactNode } from "react";
import { render as renderElement } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, type RouteObject, RouterProvider } from "react-router";
import { IntlProvider, type Messages } from "use-intl";
import type { Translations } from "@alcove/i18n";
import { allTranslations } from "@alcove/i18n/all";

export const translations: Translations = allTranslations.en;

/**
 * Renders an element in English at `/en`, and returns a user who acts on it. Its forms may need other routes, a screen the
 * data of its loader.
 */
export function render(element: ReactNode, routes: RouteObject[] = [], loaded: unknown = null) {
  const user = userEvent.setup();
  const router = createMemoryRouter([{ id: "screen", path: "/:lang/*", element }, ...routes], {
    initialEntries: ["/en"],
    hydrationData: { loaderData: { screen: loaded } },
  });
  renderElement(
    <IntlProvider locale="en" messages={translations as Messages} timeZone="UTC">
      <RouterProvider router={router} />
    </IntlProvider>,
  );
  return { user, router };
}
