import type { Plugin } from "vite";

/** Empties the parts of static pages in the app: their dialogs would come with the first load instead of on demand. */
export function leaveOutStaticParts(): Plugin {
  return {
    name: "leave-out-static-parts",
    enforce: "pre",
    applyToEnvironment: ({ name }) => name === "client",
    load: {
      filter: { id: /\/app\/layout\/static-parts\.tsx$/ },
      handler: () => "export const StaticParts = () => null;",
    },
  };
}
