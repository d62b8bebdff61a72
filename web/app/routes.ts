import { index, layout, prefix, route, type RouteConfig } from "@react-router/dev/routes";

/** All addresses of the app. The first segment is the language. */
export default [
  index("routes/root-address.tsx"),
  route(":lang", "routes/language.tsx", [
    index("routes/start.tsx"),
    route("login", "routes/login.tsx"),
    route("oauth-callback/login", "routes/oauth-callback.tsx"),
    route("sign-up", "routes/sign-up.tsx"),
    route("reset-password", "routes/reset-password.tsx"),
    route("about-service", "routes/about-service.tsx"),
    route("pricing", "routes/pricing.tsx"),
    route("tos", "routes/tos.tsx"),
    route("privacy-policy", "routes/privacy-policy.tsx"),
    route("unsubscribe", "routes/unsubscribe.tsx"),
    layout("routes/members.tsx", [
      route("home/:userId", "routes/profile.tsx"),
      route("dm", "routes/dm.tsx", [route(":userId", "routes/dm-chat.tsx")]),
      route("upgrade-account/payment/successed/:orderId", "routes/payment-success.tsx"),
      layout("routes/setting.tsx", [
        ...prefix("setting", [
          index("routes/setting-menu.tsx"),
          route("profile", "routes/setting-profile.tsx"),
          route("filter", "routes/setting-filter.tsx"),
          route("password", "routes/setting-password.tsx"),
          route("privacy", "routes/setting-privacy.tsx"),
          route("notifications", "routes/setting-notifications.tsx"),
          route("devices", "routes/setting-devices.tsx"),
          route("blocks", "routes/setting-blocks.tsx"),
          route("delete-account", "routes/setting-delete-account.tsx"),
          route("never-see", "routes/setting-never-see.tsx"),
        ]),
        route("upgrade-account", "routes/upgrade-account.tsx"),
        route("purchase-history", "routes/purchase-history.tsx"),
        route("brokerage-fee", "routes/brokerage-fee.tsx"),
      ]),
    ]),
    route("*", "routes/not-found.tsx"),
  ]),
] satisfies RouteConfig;
