import { useEffect, useState } from "react";
import { useTranslations } from "use-intl";
import { device } from "../../device/browser.ts";
import { useObjectUrl } from "../../lib/forms/use-object-url.ts";
import { Button } from "../../ui/button.tsx";
import { drawCard } from "./draw-card.ts";
import styles from "./referral.module.css";

/** The link as a picture with a QR code, which another phone scans or an app sends. */
export function InvitationCard({ link }: { link: string }) {
  const t = useTranslations("referral");
  const [picture, setPicture] = useState<File | null>(null);
  const text = t("cardText");
  useEffect(() => {
    let isCurrent = true;
    // A failed load of the drawing leaves the link above.
    drawCard(link, text).then(
      (drawn) => isCurrent && setPicture(drawn),
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [link, text]);
  const url = useObjectUrl(picture);
  if (!picture || !url) return null;
  const share = device.sharePicture(picture);
  return (
    <section className="stack" aria-labelledby="invitation-card">
      <h2 id="invitation-card">{t("cardTitle")}</h2>
      <img className={styles.card} src={url} alt={t("cardAlt")} width="1080" height="1350" />
      <p className="hint">{t("cardHint")}</p>
      {share && (
        <Button block onClick={() => void share()}>
          {t("cardShare")}
        </Button>
      )}
      {!device.isNative() && (
        <Button block kind="quiet" onClick={() => save(url, picture.name)}>
          {t("cardSave")}
        </Button>
      )}
    </section>
  );
}

function save(url: string, name: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
}
