import { useParams } from "react-router";
import { languageOfSegment } from "./language.ts";

/** Returns the first segment of this page's URL, such as `/en`. */
export function useLanguagePath(): string {
  return `/${languageOfSegment(useParams()["lang"])}`;
}
