import { useEffect, useState } from "react";
import { Link, useNavigate } from "react-router";
import { useTranslations } from "use-intl";
import { getOwnUser } from "@alcove/contract/accounts";
import { getClearIconViewers, getUser } from "@alcove/contract/discovery";
import { blockUser, reportUser } from "@alcove/contract/safety";
import type { PublicUser } from "@alcove/contract/users";
import { Introduction } from "../../features/profile/introduction.tsx";
import { ProfileTable } from "../../features/profile/profile-table.tsx";
import { BlockSheet } from "../../features/safety/block-sheet.tsx";
import { ReportSheet } from "../../features/safety/report-sheet.tsx";
import { Shell } from "../../layout/shell/shell.tsx";
import { api } from "../../lib/api.ts";
import { ApiError } from "../../lib/errors.ts";
import { useIsPrivacyScreenShown } from "../../lib/privacy-screen.ts";
import { settings } from "../../lib/settings.ts";
import { useLanguagePath } from "../../lib/use-language-path.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { Route } from "./+types/member-profile";
import { ClearPicture } from "./clear-picture.tsx";
import { Slideshow } from "./slideshow.tsx";

/** Returns no user if the profile does not exist or its member has blocked the viewer. */
export async function clientLoader({ params }: Route.ClientLoaderArgs) {
  try {
    const found = await api(getUser, { userId: params.userId });
    const isShownClear = found.matched ? await showsClearTo(found.user.user_id) : null;
    return { found: { ...found, isShownClear }, missing: null };
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return { found: null, missing: error.message };
    throw error;
  }
}

/** Returns null if the viewer keeps no clear picture. */
async function showsClearTo(userId: string): Promise<boolean | null> {
  const { user: me } = await api(getOwnUser, {});
  if (me.clear_icon === null) return null;
  const { users } = await api(getClearIconViewers, {});
  return users.some(({ user_id }) => user_id === userId);
}

export default function Profile({ loaderData: { found, missing } }: Route.ComponentProps) {
  return (
    <Shell hasMenu width={found ? "wide" : "form"}>
      {found ? (
        <Found
          key={found.user.user_id}
          user={found.user}
          isMatched={found.matched}
          isShownClear={found.isShownClear}
        />
      ) : (
        <Missing text={missing} />
      )}
    </Shell>
  );
}

interface FoundProps {
  user: PublicUser;
  isMatched: boolean;
  isShownClear: boolean | null;
}

function Found({ user, isMatched, isShownClear }: FoundProps) {
  const t = useTranslations("profile");
  const base = useLanguagePath();
  const navigate = useNavigate();
  const [isEnlarged, setEnlarged] = useState(false);
  const [isBlocking, setBlocking] = useState(false);
  const [isReporting, setReporting] = useState(false);
  const pictures = user.clear_icon === null ? [user.icon] : [user.icon, user.clear_icon];
  useTitle(`${user.username} ${user.user_id}`);

  async function handleBlock() {
    await api(blockUser, { userId: user.user_id });
    await navigate(base, { replace: true });
  }

  const chat = `${base}/dm/${encodeURIComponent(user.user_id)}`;
  return (
    <>
      <div className="screen-head">
        <Link className="icon-btn" to={isMatched ? chat : base} aria-label={t("back")} title={t("back")}>
          <Icon name="back" />
        </Link>
        <span className="screen-head__id muted small">{user.user_id}</span>
      </div>
      <article className="stage">
        <div className="candidate">
          <button
            type="button"
            className="portrait"
            aria-label={t("enlarge")}
            onClick={() => setEnlarged(true)}
          >
            <img src={user.icon} alt={user.username} width="600" height="600" />
          </button>
          <div className="candidate__body">
            <div className="candidate__name">
              <h1 className="candidate__title">{user.username}</h1>
              {user.icon_process && (
                <span className="badge">
                  <Icon name="glass" />
                  {t("processed")}
                </span>
              )}
            </div>
            <Introduction text={user.description} />
            <ProfileTable person={user} />
            <div className="stack-sm profile__actions">
              {isMatched && (
                <Link className={buttonClass({ block: true })} to={chat}>
                  <Icon name="dm" small />
                  {t("write")}
                </Link>
              )}
              {isShownClear !== null && (
                <ClearPicture userId={user.user_id} name={user.username} isShown={isShownClear} />
              )}
              <Button kind="ghost" small onClick={() => setBlocking(true)}>
                <Icon name="shield" small />
                {t("block")}
              </Button>
              <Button kind="ghost" small onClick={() => setReporting(true)}>
                <Icon name="flag" small />
                {t("report")}
              </Button>
            </div>
          </div>
        </div>
        {isEnlarged && (
          <Slideshow images={pictures} name={user.username} onClose={() => setEnlarged(false)} />
        )}
        <BlockSheet
          isOpen={isBlocking}
          name={user.username}
          onBlock={handleBlock}
          onClose={() => setBlocking(false)}
        />
        <ReportSheet
          isOpen={isReporting}
          userId={user.user_id}
          name={user.username}
          onReport={(report) => api(reportUser, report)}
          onBlock={handleBlock}
          onClose={() => setReporting(false)}
        />
      </article>
    </>
  );
}

function Missing({ text }: { text: string }) {
  const t = useTranslations("profile");
  const base = useLanguagePath();
  return (
    <>
      <h1 className="vh">{settings.brandName}</h1>
      <Empty
        title={text}
        action={
          <Link className={buttonClass({ kind: "quiet", small: true })} to={base}>
            {t("goHome")}
          </Link>
        }
      />
    </>
  );
}

/** Only this title names a member, and only while the page is visible. */
function useTitle(title: string): void {
  const isCovered = useIsPrivacyScreenShown();
  useEffect(() => {
    if (isCovered) return undefined;
    const show = () => {
      document.title = document.visibilityState === "visible" ? title : settings.brandName;
    };
    show();
    document.addEventListener("visibilitychange", show);
    return () => {
      document.removeEventListener("visibilitychange", show);
      document.title = settings.brandName;
    };
  }, [title, isCovered]);
}
