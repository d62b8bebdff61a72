import { InfoPage } from "./info-page.tsx";

export default function Accessibility() {
  return <InfoPage page="accessibility" />;
}
