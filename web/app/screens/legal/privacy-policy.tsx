import type { Route } from "./+types/privacy-policy";
import { LegalPage } from "./legal-page.tsx";
import { privacyPolicyFor } from "./legal-texts.ts";

export default function PrivacyPolicy({ params }: Route.ComponentProps) {
  return <LegalPage shown={privacyPolicyFor(params.lang)} path="privacy-policy" />;
}
