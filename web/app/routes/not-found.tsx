import { NotFoundScreen } from "../features/shell/fault-screen.tsx";

export default function NotFound() {
  return <NotFoundScreen />;
}
