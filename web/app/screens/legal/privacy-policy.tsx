import { useParams } from "react-router";
import { PRIVACY_VERSIONS } from "@alcove/contract/legal-versions";
import { LegalPage } from "./legal-page.tsx";
import { privacyPolicyFor } from "./legal-texts.ts";

export default function PrivacyPolicy() {
  const { lang } = useParams();
  return <LegalPage shown={privacyPolicyFor(lang)} path="privacy-policy" versions={PRIVACY_VERSIONS} />;
}
