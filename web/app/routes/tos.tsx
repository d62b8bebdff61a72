import { LegalPage } from "../features/public-pages/legal-page.tsx";
import { termsFor } from "../features/public-pages/legal-texts.ts";
import { Shell } from "../features/shell/shell.tsx";
import type { Route } from "./+types/tos";

export default function Terms({ params }: Route.ComponentProps) {
  return (
    <Shell width="text">
      <LegalPage text={termsFor(params.lang)} />
    </Shell>
  );
}
