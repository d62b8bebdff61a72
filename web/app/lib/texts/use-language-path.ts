import { useParams } from "react-router";
import { languageOfSegment } from "./language.ts";

/** The first segment of the URL, such as `/en`. */
export function useLanguagePath(): string {
  return `/${languageOfSegment(useParams()["lang"])}`;
}
