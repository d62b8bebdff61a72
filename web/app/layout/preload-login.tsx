declare global {
  interface Window {
    __reactRouterManifest?: { routes: Record<string, { module: string; imports?: string[] }> };
  }
}

/**
 * Loads the login's scripts, because the connection may be gone when the login is needed. React Router's
 * `PrefetchPageLinks` reloads the page on a failure, which loses the input.
 */
export function PreloadLogin() {
  const login = window.__reactRouterManifest?.routes["screens/login/login"];
  if (!login) return null;
  return [login.module, ...(login.imports ?? [])].map((href) => (
    <link key={href} rel="modulepreload" href={href} />
  ));
}
