import { defineConfig } from "vite";

/** npm run gallery */
export default defineConfig({
  root: import.meta.dirname,
  publicDir: "../public",
  server: { host: "127.0.0.1", port: 5199, open: false },
});
