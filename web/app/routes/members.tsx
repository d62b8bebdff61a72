import { Outlet } from "react-router";
import type { Route } from "./+types/members";
import { LoginScreen } from "../features/login/login-screen.tsx";
import { Shell } from "../features/shell/shell.tsx";
import { Refused } from "../lib/api.ts";
import { useIsLoggedIn } from "../lib/session.ts";

/** Screens for members. Who is not logged in sees the login in place; the address stays (specification, section 2). */
export default function Members() {
  return useIsLoggedIn() ? <Outlet /> : <LoginInPlace />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const isLoggedIn = useIsLoggedIn();
  const isOver = error instanceof Refused && error.status === 401;
  if (isOver || !isLoggedIn) return <LoginInPlace />;
  throw error;
}

function LoginInPlace() {
  return (
    <Shell pageClass="page-login">
      <LoginScreen next={null} />
    </Shell>
  );
}
