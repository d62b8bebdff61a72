import { useParams } from "react-router";
import { TERMS_VERSIONS } from "@alcove/contract/legal-versions";
import { LegalPage } from "./legal-page.tsx";
import { termsFor } from "./legal-texts.ts";

export default function Terms() {
  const { lang } = useParams();
  return <LegalPage shown={termsFor(lang)} path="tos" versions={TERMS_VERSIONS} />;
}
