import { useEffect } from "react";
import { useRevalidator } from "react-router";
import { useLoginId } from "./session.ts";

/** Returns whether another login is current than the screen's data was loaded for, and reloads that data. */
export function useHasLoginChanged(loadedFor: string | null): boolean {
  const loginId = useLoginId();
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (loginId !== null && loginId !== loadedFor) void revalidate();
  }, [loginId, loadedFor, revalidate]);
  return loginId !== null && loginId !== loadedFor;
}
