import { InfoPage } from "./info-page.tsx";

export default function ChildSafety() {
  return <InfoPage page="childSafety" />;
}
