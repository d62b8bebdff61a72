import { useEffect } from "react";
import { useRevalidator } from "react-router";
import { useLogin } from "./session.ts";

/** Whether somebody else is logged in by now than what is on screen was loaded for; then it is asked for anew. */
export function useIsOthers(loadedFor: string | null): boolean {
  const login = useLogin();
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (login !== null && login !== loadedFor) void revalidate();
  }, [login, loadedFor, revalidate]);
  return login !== null && login !== loadedFor;
}
