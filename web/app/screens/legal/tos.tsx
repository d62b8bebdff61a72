import { useParams } from "react-router";
import { LegalPage } from "./legal-page.tsx";
import { termsFor } from "./legal-texts.ts";

export default function Terms() {
  const { lang } = useParams();
  return <LegalPage shown={termsFor(lang)} path="tos" />;
}
