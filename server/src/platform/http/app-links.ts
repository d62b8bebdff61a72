import { languages } from "@alcove/i18n";
import type { App } from "./router.ts";

export function registerAppLinks({ ctx, http }: App): void {
  const { nativeAppId, androidCertificates, iosAppId } = ctx.config;
  const serve = (name: string, content: unknown) =>
    http.get(`/.well-known/${name}`, async (_, reply) =>
      reply
        .header("cache-control", "public, max-age=3600")
        .type("application/json")
        .send(JSON.stringify(content)),
    );

  if (androidCertificates.length > 0)
    serve("assetlinks.json", [
      {
        relation: [
          "delegate_permission/common.handle_all_urls",
          "delegate_permission/common.get_login_creds",
        ],
        target: {
          namespace: "android_app",
          package_name: nativeAppId,
          sha256_cert_fingerprints: androidCertificates,
        },
      },
    ]);
  if (iosAppId !== null) {
    const paths = languages.flatMap((language) => [`/${language}`, `/${language}/*`]);
    const components = [
      { "/": "*/api/*", exclude: true },
      { "/": "*/app-login", exclude: true },
      ...paths.map((path) => ({ "/": path })),
    ];
    serve("apple-app-site-association", { applinks: { details: [{ appIDs: [iosAppId], components }] } });
  }
}
