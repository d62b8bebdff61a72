import { useEffect, useState } from "react";
import { Link } from "react-router";
import { useTranslations } from "use-intl";
import type { ResponseOf } from "@alcove/contract/call";
import { getConsent, giveConsent } from "@alcove/contract/consent";
import { type LegalVersion, PRIVACY_VERSIONS, TERMS_VERSIONS } from "@alcove/contract/legal-versions";
import { api } from "../../lib/api/api.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { banner } from "../../lib/page/banner.ts";
import { hasPurchases } from "../../lib/page/purchases.ts";
import { showError } from "../../lib/page/show-error.ts";
import { consent, useConsent } from "../../lib/session/consent.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Sheet } from "../../ui/dialog.tsx";
import { Check } from "../../ui/forms/field.tsx";
import dialogStyles from "../../ui/dialog.module.css";
import styles from "./consent-sheet.module.css";

type Status = ResponseOf<typeof getConsent>;

const DOCUMENTS = ["terms", "privacy"] as const;
type Document = (typeof DOCUMENTS)[number];

const VERSIONS: Record<Document, readonly LegalVersion[]> = {
  terms: TERMS_VERSIONS,
  privacy: PRIVACY_VERSIONS,
};
const PAGES: Record<Document, string> = { terms: "tos", privacy: "privacy-policy" };

/** Shows what changed in terms and privacy policy, and asks for the consent. */
export function ConsentSheet() {
  const { requiredFrom } = useConsent();
  // The next member on this page begins anew.
  useEffect(() => consent.clear, []);
  return requiredFrom === null ? null : <DueConsent requiredFrom={requiredFrom} />;
}

/** Opens when its content is loaded, so that the focus begins at the top. */
function DueConsent({ requiredFrom }: { requiredFrom: string }) {
  const t = useTranslations("consent");
  const { readsOnly } = useConsent();
  const { status, load } = useStatus();
  const [isRefusing, setRefusing] = useState(false);
  const close = () => {
    setRefusing(false);
    consent.readOnly();
  };
  return (
    <Sheet
      isOpen={status !== null && !readsOnly}
      onClose={close}
      title={t(isRefusing ? "refusedTitle" : "title")}
    >
      {isRefusing && <Refusal onBack={() => setRefusing(false)} onClose={close} />}
      {status && !isRefusing && (
        <Changes
          requiredFrom={requiredFrom}
          status={status}
          onOutdated={load}
          onRefuse={() => setRefusing(true)}
        />
      )}
    </Sheet>
  );
}

interface ChangesProps {
  requiredFrom: string;
  status: Status;
  onOutdated: () => void;
  onRefuse: () => void;
}

function Changes({ requiredFrom, status, onOutdated, onRefuse }: ChangesProps) {
  const t = useTranslations("consent");
  const [ticked, setTicked] = useState<readonly Document[]>([]);
  const changed = DOCUMENTS.filter((document) => isChanged(status[document]));
  const agree = useAction(
    async () => {
      const { terms, privacy } = status;
      await api(giveConsent, { terms_version: terms.version, privacy_version: privacy.version });
      consent.clear();
      banner.notify("consent.agreed");
    },
    (error) => {
      showError(error);
      onOutdated();
    },
  );
  const tick = (document: Document) =>
    setTicked(ticked.includes(document) ? ticked.filter((one) => one !== document) : [...ticked, document]);
  return (
    <>
      <p className="muted">{t("lead", { day: requiredFrom.replaceAll("-", "/") })}</p>
      {changed.map((document) => (
        <section key={document} className={styles.document}>
          <ChangesOf document={document} agreedVersion={status[document].agreed_version} />
          <Check checked={ticked.includes(document)} onChange={() => tick(document)}>
            {t(document === "terms" ? "agreeTerms" : "agreePrivacy")}
          </Check>
        </section>
      ))}
      <div className={dialogStyles.actions}>
        <Button
          disabled={changed.some((document) => !ticked.includes(document))}
          busy={agree.isBusy}
          onClick={agree.start}
        >
          {t("agree")}
        </Button>
        <Button kind="ghost" onClick={onRefuse}>
          {t("refuse")}
        </Button>
      </div>
    </>
  );
}

const isChanged = ({ version, agreed_version }: Status[Document]): boolean => version !== agreed_version;

/** An app older than the server does not know the changes. It shows the link alone. */
function ChangesOf({ document, agreedVersion }: { document: Document; agreedVersion: string }) {
  const t = useTranslations("consent");
  const tc = useTranslations("legalChanges");
  const base = useLanguagePath();
  const all = VERSIONS[document];
  const agreed = all.findIndex(({ version }) => version === agreedVersion);
  const newer = agreed === -1 ? all : all.slice(0, agreed);
  return (
    <>
      <h2>{t(document)}</h2>
      <ul>{newer.flatMap(({ changes }) => changes.map((change) => <li key={change}>{tc(change)}</li>))}</ul>
      <Link to={`${base}/${PAGES[document]}`} target="_blank">
        {t("read")}
      </Link>
    </>
  );
}

function useStatus(): { status: Status | null; load: () => void } {
  const [status, setStatus] = useState<Status | null>(null);
  const [load] = useState(() => () => void api(getConsent, {}).then(setStatus, showError));
  useEffect(() => load(), [load]);
  return { status, load };
}

/** What remains without the consent. */
function Refusal({ onBack, onClose }: { onBack: () => void; onClose: () => void }) {
  const t = useTranslations("consent");
  const base = useLanguagePath();
  const ways = [
    ["export", `${base}/setting/export`],
    ...(hasPurchases() ? ([["purchases", `${base}/purchase-history`]] as const) : []),
    ["leave", `${base}/setting/delete-account`],
  ] as const;
  return (
    <>
      <p className="muted">{t("refusedText")}</p>
      <div className={dialogStyles.actions}>
        {ways.map(([way, to]) => (
          <Link key={way} className={buttonClass({ kind: "quiet" })} to={to} onClick={onClose}>
            {t(way)}
          </Link>
        ))}
        <Button onClick={onBack}>{t("back")}</Button>
        <Button kind="ghost" onClick={onClose}>
          {t("readOnly")}
        </Button>
      </div>
    </>
  );
}
