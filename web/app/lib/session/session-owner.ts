import { useEffect } from "react";
import { useRevalidator } from "react-router";
import { useLoginId } from "./session.ts";

/** Returns true while the screen's data belongs to another login, and reloads the data. */
export function useHasLoginChanged(loadedFor: string | null): boolean {
  const loginId = useLoginId();
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (loginId !== null && loginId !== loadedFor) void revalidate();
  }, [loginId, loadedFor, revalidate]);
  return loginId !== null && loginId !== loadedFor;
}
