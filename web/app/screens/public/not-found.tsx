import { NotFoundScreen } from "../../layout/shell/error-screen.tsx";

export default function NotFound() {
  return <NotFoundScreen />;
}
