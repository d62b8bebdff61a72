import { useEffect, useState } from "react";
import { useNavigate } from "react-router";
import { useTranslations } from "use-intl";
import type { Party } from "@alcove/contract/users";
import { getOwnUser } from "@alcove/contract/accounts";
import { isolated } from "../../lib/texts/isolated.ts";
import { api } from "../../lib/api/api.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { Button } from "../../ui/button.tsx";
import { Overlay } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { pictureAt } from "../../ui/picture.tsx";
import { newMatches, useNewMatch } from "./new-matches.ts";
import { classNames } from "../../ui/class-names.ts";
import artStyles from "../../ui/art.module.css";
import styles from "./match-notice.module.css";

export function MatchNotice() {
  const party = useNewMatch();
  return party && <Notice key={party.user_id} party={party} />;
}

function Notice({ party }: { party: Party }) {
  const t = useTranslations("matchNotice");
  const base = useLanguagePath();
  const navigate = useNavigate();
  const ownIcon = useOwnIcon();
  async function handleWrite() {
    newMatches.dismiss();
    await navigate(`${base}/dm/${encodeURIComponent(party.user_id)}`);
  }
  return (
    <Overlay isOpen onClose={newMatches.dismiss} className={styles.match} label={t("title")}>
      <Portraits own={ownIcon} other={party.icon} />
      <div className={classNames("stack-sm", styles.words)}>
        <h1>{t("title")}</h1>
        <p className="muted">{t("text", { name: isolated(party.username) })}</p>
      </div>
      <div className={styles.actions}>
        <Button kind="lamp" onClick={() => void handleWrite()}>
          <Icon name="dm" small />
          {t("write")}
        </Button>
        <Button kind="quiet" onClick={newMatches.dismiss}>
          {t("keepLooking")}
        </Button>
      </div>
    </Overlay>
  );
}

function useOwnIcon(): string | null {
  const [icon, setIcon] = useState<string | null>(null);
  useEffect(() => {
    let isMounted = true;
    api(getOwnUser, {}).then(
      ({ user }) => isMounted && setIcon(user.icon),
      () => undefined, // the notice then has one portrait
    );
    return () => {
      isMounted = false;
    };
  }, []);
  return icon;
}

const SHARED = "M158 262V104A84 84 0 0 1 170 60.87A84 84 0 0 1 182 104V262Z";

function Portraits({ own, other }: { own: string | null; other: string }) {
  return (
    <svg className={styles.art} viewBox="0 0 340 270" aria-hidden="true">
      <defs>
        <clipPath id="match-left">
          <path d="M14 262V104a84 84 0 0 1 168 0v158Z" />
        </clipPath>
        <clipPath id="match-right">
          <path d="M158 262V104a84 84 0 0 1 168 0v158Z" />
        </clipPath>
        <linearGradient id="match-light" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="#fff3d3" />
          <stop offset="1" stopColor="#e9b866" />
        </linearGradient>
        <filter id="match-glow" x="-200%" y="-30%" width="500%" height="160%">
          <feGaussianBlur stdDeviation="14" />
        </filter>
      </defs>
      <g className={styles.right} clipPath="url(#match-right)">
        <image
          href={pictureAt(480, other)}
          x="158"
          y="16"
          width="250"
          height="250"
          transform="translate(-40)"
        />
      </g>
      <g className={styles.left} clipPath="url(#match-left)">
        <path className={artStyles.left} d="M14 262V104a84 84 0 0 1 168 0v158Z" />
        {own && <image href={pictureAt(480, own)} x="-27" y="16" width="250" height="250" />}
      </g>
      <g className={styles.light}>
        <path d={SHARED} fill="#f0c26f" filter="url(#match-glow)" opacity=".9" />
        <path d={SHARED} fill="url(#match-light)" />
      </g>
    </svg>
  );
}
