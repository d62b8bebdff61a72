import { PublicShell } from "../../layout/shell/shell.tsx";
import type { Route } from "./+types/privacy-policy";
import { LegalPage } from "./legal-page.tsx";
import { privacyPolicyFor } from "./legal-texts.ts";

export default function PrivacyPolicy({ params }: Route.ComponentProps) {
  return (
    <PublicShell width="text">
      <LegalPage text={privacyPolicyFor(params.lang)} />
    </PublicShell>
  );
}
