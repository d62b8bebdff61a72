import type { Route } from "./+types/tos";
import { LegalPage } from "./legal-page.tsx";
import { termsFor } from "./legal-texts.ts";

export default function Terms({ params }: Route.ComponentProps) {
  return <LegalPage shown={termsFor(params.lang)} path="tos" />;
}
