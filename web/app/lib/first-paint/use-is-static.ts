import { useLocation } from "react-router";
import { isStaticDocument } from "./static-pages.ts";

export function useIsStatic(): boolean {
  return isStaticDocument(useLocation().pathname);
}
