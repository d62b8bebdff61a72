import { LegalPage } from "../features/public-pages/legal-page.tsx";
import { privacyPolicyFor } from "../features/public-pages/legal-texts.ts";
import { Shell } from "../features/shell/shell.tsx";
import type { Route } from "./+types/privacy-policy";

export default function PrivacyPolicy({ params }: Route.ComponentProps) {
  return (
    <Shell width="text">
      <LegalPage text={privacyPolicyFor(params.lang)} />
    </Shell>
  );
}
