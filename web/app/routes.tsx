import { useEffect } from "react";
import {
  isRouteErrorResponse,
  Outlet,
  ScrollRestoration,
  useRevalidator,
  useRouteError,
  type RouteObject,
} from "react-router";
import { screen } from "./lazy-screen.tsx";
import * as languageLayout from "./layout/language-layout.tsx";
import * as requireLogin from "./layout/require-login-layout.tsx";
import * as rootRedirect from "./layout/root-redirect.tsx";
import { PlainErrorScreen } from "./layout/shell/error-screen.tsx";
import type { MenuPart } from "./layout/shell/shell.tsx";
import shellStyles from "./layout/shell/shell.module.css";
import { builtData } from "./lib/first-paint/built-page.ts";

const loadLogin = async () => import("./screens/login/login.tsx");

/** The entry of the menu that a screen belongs to. */
const inMenu = (handle: MenuPart) => ({ handle });

/** All URLs of the app. The first segment is the language. */
export const routes: RouteObject[] = [
  {
    Component: Root,
    ErrorBoundary: RootError,
    HydrateFallback,
    children: [
      { path: "/", ...rootRedirect },
      {
        path: "/:lang",
        ...languageLayout,
        children: [
          { index: true, ...inMenu("home"), lazy: screen(() => import("./screens/home/home.tsx")) },
          { path: "bot-check", lazy: screen(() => import("./screens/login/bot-check-frame.tsx")) },
          { path: "login", lazy: screen(loadLogin) },
          { path: "app-login", lazy: screen(() => import("./screens/login/app-login.tsx")) },
          { path: "oauth-callback/login", lazy: screen(() => import("./screens/login/oauth-callback.tsx")) },
          { path: "sign-up", lazy: screen(() => import("./screens/sign-up/sign-up.tsx")) },
          {
            path: "reset-password",
            lazy: screen(() => import("./screens/reset-password/reset-password.tsx")),
          },
          { path: "lost-email", lazy: screen(() => import("./screens/lost-mailbox/lost-mailbox.tsx")) },
          { path: "email-undo", lazy: screen(() => import("./screens/lost-mailbox/email-undo.tsx")) },
          { path: "email-confirm", lazy: screen(() => import("./screens/lost-mailbox/email-confirm.tsx")) },
          { path: "about-service", lazy: screen(() => import("./screens/public/about-service.tsx")) },
          { path: "how-it-works", lazy: screen(() => import("./screens/public/how-it-works.tsx")) },
          { path: "pricing", lazy: screen(() => import("./screens/public/pricing.tsx")) },
          { path: "tos", lazy: screen(() => import("./screens/legal/tos.tsx")) },
          { path: "privacy-policy", lazy: screen(() => import("./screens/legal/privacy-policy.tsx")) },
          { path: "provider", lazy: screen(() => import("./screens/legal/provider.tsx")) },
          { path: "accessibility", lazy: screen(() => import("./screens/legal/accessibility.tsx")) },
          { path: "child-safety", lazy: screen(() => import("./screens/legal/child-safety.tsx")) },
          { path: "delete-account", lazy: screen(() => import("./screens/legal/delete-account.tsx")) },
          { path: "contact", lazy: screen(() => import("./screens/contact/contact.tsx")) },
          { path: "notice", lazy: screen(() => import("./screens/notice/notice.tsx")) },
          { path: "not-me", lazy: screen(() => import("./screens/public/not-me.tsx")) },
          { path: "account-deleted", lazy: screen(() => import("./screens/public/account-deleted.tsx")) },
          { path: "unsubscribe", lazy: screen(() => import("./screens/public/unsubscribe.tsx")) },
          { ...requireLogin, children: memberRoutes() },
          { path: "*", lazy: screen(() => import("./screens/public/not-found.tsx")) },
        ],
      },
    ],
  },
];

function memberRoutes(): RouteObject[] {
  return [
    {
      path: "home/:userId",
      lazy: screen(() => import("./screens/member-profile/member-profile.tsx")),
    },
    {
      path: "dm",
      ...inMenu("dm"),
      lazy: screen(() => import("./screens/messages/messages.tsx")),
      children: [{ path: ":userId", lazy: screen(() => import("./screens/messages/conversation.tsx")) }],
    },
    {
      path: "upgrade-account/payment/successed/:orderId",
      lazy: screen(() => import("./screens/membership/payment-success.tsx")),
    },
    { path: "case", ...inMenu("settings"), lazy: screen(() => import("./screens/case/case.tsx")) },
    { path: "threat", ...inMenu("settings"), lazy: screen(() => import("./screens/threat/threat.tsx")) },
    {
      path: "threat/:number",
      ...inMenu("settings"),
      lazy: screen(() => import("./screens/threat/threat-number.tsx")),
    },
    {
      path: "purchase-history/:orderId",
      ...inMenu("settings"),
      lazy: screen(() => import("./screens/membership/receipt.tsx")),
    },
    {
      path: "setting/preview",
      ...inMenu("settings"),
      lazy: screen(() => import("./screens/settings/preview.tsx")),
    },
    {
      ...inMenu("settings"),
      lazy: screen(() => import("./screens/settings/settings-layout.tsx")),
      children: [
        { path: "setting", children: settingRoutes() },
        { path: "upgrade-account", lazy: screen(() => import("./screens/membership/upgrade-account.tsx")) },
        { path: "purchase-history", lazy: screen(() => import("./screens/membership/purchase-history.tsx")) },
        {
          path: "purchase-history/:orderId/withdraw",
          lazy: screen(() => import("./screens/membership/withdraw.tsx")),
        },
        {
          path: "purchase-history/:orderId/transfer",
          lazy: screen(() => import("./screens/membership/bank-order.tsx")),
        },
        { path: "brokerage-fee", lazy: screen(() => import("./screens/referral/referral.tsx")) },
      ],
    },
  ];
}

function settingRoutes(): RouteObject[] {
  return [
    { index: true, lazy: screen(() => import("./screens/settings/menu.tsx")) },
    { path: "profile", lazy: screen(() => import("./screens/settings/profile.tsx")) },
    { path: "notes", lazy: screen(() => import("./screens/settings/notes.tsx")) },
    { path: "filter", lazy: screen(() => import("./screens/settings/filter.tsx")) },
    { path: "password", lazy: screen(() => import("./screens/settings/password.tsx")) },
    { path: "passkeys", lazy: screen(() => import("./screens/settings/passkeys.tsx")) },
    { path: "email", lazy: screen(() => import("./screens/settings/email.tsx")) },
    { path: "device", lazy: screen(() => import("./screens/settings/device.tsx")) },
    { path: "pin", lazy: screen(() => import("./screens/settings/pin.tsx")) },
    { path: "visibility", lazy: screen(() => import("./screens/settings/visibility.tsx")) },
    { path: "hidden-areas", lazy: screen(() => import("./screens/settings/hidden-areas.tsx")) },
    { path: "likes", lazy: screen(() => import("./screens/settings/likes.tsx")) },
    { path: "reading", lazy: screen(() => import("./screens/settings/reading.tsx")) },
    { path: "arrival", lazy: screen(() => import("./screens/settings/arrival.tsx")) },
    { path: "area", lazy: screen(() => import("./screens/settings/area.tsx")) },
    { path: "kept", lazy: screen(() => import("./screens/legal/stored-data.tsx")) },
    { path: "corrections", lazy: screen(() => import("./screens/settings/corrections.tsx")) },
    { path: "export", lazy: screen(() => import("./screens/settings/export.tsx")) },
    { path: "notifications", lazy: screen(() => import("./screens/settings/notifications.tsx")) },
    { path: "devices", lazy: screen(() => import("./screens/settings/devices.tsx")) },
    { path: "notices", lazy: screen(() => import("./screens/settings/notices.tsx")) },
    { path: "reports", lazy: screen(() => import("./screens/settings/reports.tsx")) },
    { path: "blocks", lazy: screen(() => import("./screens/settings/blocks.tsx")) },
    { path: "delete-account", lazy: screen(() => import("./screens/settings/delete-account.tsx")) },
    { path: "looks", lazy: screen(() => import("./screens/settings/looks.tsx")) },
    { path: "help", lazy: screen(() => import("./screens/settings/help.tsx")) },
    { path: "age-check", lazy: screen(() => import("./screens/settings/age-check.tsx")) },
    { path: "never-see", lazy: screen(() => import("./screens/settings/never-see.tsx")) },
  ];
}

function Root() {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    // The connection may be gone when the login is needed. After a failure, the login loads it again.
    void loadLogin().catch(() => undefined);
  }, []);
  useEffect(() => {
    // A built page has no member's data. Loaders that run at hydration would scroll the page to its top.
    if (builtData()) void revalidate();
  }, [revalidate]);
  return (
    <>
      <Outlet />
      <ScrollRestoration />
    </>
  );
}

/** Shows until the first screen has loaded on pages that are not built. */
export function HydrateFallback() {
  return <div className={shellStyles.main} aria-busy="true" />;
}

function RootError() {
  const error = useRouteError();
  if (isRouteErrorResponse(error)) return <PlainErrorScreen details={[error.status, error.statusText]} />;
  return <PlainErrorScreen details={[error instanceof Error && error.message]} />;
}
