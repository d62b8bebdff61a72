import { useParams } from "react-router";
import { languageOfSegment } from "./language.ts";

/** The first part of every address of this page's language: `/en`. */
export function useLanguagePath(): string {
  return `/${languageOfSegment(useParams()["lang"])}`;
}
