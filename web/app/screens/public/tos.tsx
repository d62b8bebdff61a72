import { PublicShell } from "../../layout/shell/shell.tsx";
import type { Route } from "./+types/tos";
import { LegalPage } from "./legal-page.tsx";
import { termsFor } from "./legal-texts.ts";

export default function Terms({ params }: Route.ComponentProps) {
  return (
    <PublicShell width="text">
      <LegalPage text={termsFor(params.lang)} />
    </PublicShell>
  );
}
