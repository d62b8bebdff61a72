import type { Plugin } from "vite";

/** Empties the parts of static pages in the app: their dialogs would come with the first load instead of on demand. */
export function leaveOutStaticOverlays(): Plugin {
  return {
    name: "leave-out-static-overlays",
    enforce: "pre",
    applyToEnvironment: ({ name }) => name === "client",
    load: {
      filter: { id: /\/app\/layout\/static-overlays\.tsx$/ },
      handler: () => "export const StaticOverlays = () => null;",
    },
  };
}
