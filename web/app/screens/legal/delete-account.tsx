import { InfoPage } from "./info-page.tsx";

export default function DeleteAccount() {
  return <InfoPage page="deleteAccount" />;
}
