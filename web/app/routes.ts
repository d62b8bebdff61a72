import { index, layout, prefix, route, type RouteConfig } from "@react-router/dev/routes";

/** All URLs of the app. The first segment is the language. */
export default [
  index("layout/root-redirect.tsx"),
  route(":lang", "layout/language-layout.tsx", [
    index("screens/home/home.tsx"),
    route("bot-check", "screens/login/bot-check-frame.tsx"),
    route("login", "screens/login/login.tsx"),
    route("app-login", "screens/login/app-login.tsx"),
    route("oauth-callback/login", "screens/login/oauth-callback.tsx"),
    route("sign-up", "screens/sign-up/sign-up.tsx"),
    route("reset-password", "screens/reset-password/reset-password.tsx"),
    route("about-service", "screens/public/about-service.tsx"),
    route("pricing", "screens/public/pricing.tsx"),
    route("tos", "screens/legal/tos.tsx"),
    route("privacy-policy", "screens/legal/privacy-policy.tsx"),
    route("contact", "screens/contact/contact.tsx"),
    route("unsubscribe", "screens/public/unsubscribe.tsx"),
    layout("layout/require-login-layout.tsx", [
      route("home/:userId", "screens/member-profile/member-profile.tsx"),
      route("dm", "screens/messages/messages.tsx", [route(":userId", "screens/messages/conversation.tsx")]),
      route("upgrade-account/payment/successed/:orderId", "screens/membership/payment-success.tsx"),
      route("setting/preview", "screens/settings/preview.tsx"),
      layout("screens/settings/settings-layout.tsx", [
        ...prefix("setting", [
          index("screens/settings/menu.tsx"),
          route("profile", "screens/settings/profile.tsx"),
          route("filter", "screens/settings/filter.tsx"),
          route("password", "screens/settings/password.tsx"),
          route("device", "screens/settings/device.tsx"),
          route("pin", "screens/settings/pin.tsx"),
          route("reading", "screens/settings/reading.tsx"),
          route("area", "screens/settings/area.tsx"),
          route("export", "screens/settings/export.tsx"),
          route("notifications", "screens/settings/notifications.tsx"),
          route("devices", "screens/settings/devices.tsx"),
          route("blocks", "screens/settings/blocks.tsx"),
          route("delete-account", "screens/settings/delete-account.tsx"),
          route("never-see", "screens/settings/never-see.tsx"),
        ]),
        route("upgrade-account", "screens/membership/upgrade-account.tsx"),
        route("purchase-history", "screens/membership/purchase-history.tsx"),
        route("brokerage-fee", "screens/referral/referral.tsx"),
      ]),
    ]),
    route("*", "screens/public/not-found.tsx"),
  ]),
] satisfies RouteConfig;
