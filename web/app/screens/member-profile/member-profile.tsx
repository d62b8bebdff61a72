import { Fragment, useEffect } from "react";
import {
  type ActionFunctionArgs,
  Link,
  type LoaderFunctionArgs,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
  useRevalidator,
} from "react-router";
import { useTranslations } from "use-intl";
import { getClearIconViewers, getUser } from "@alcove/contract/discovery";
import { getBlocks, unblockUser } from "@alcove/contract/safety";
import type { Party } from "@alcove/contract/users";
import { getOwnUser } from "@alcove/contract/accounts";
import { isReport, submitReport } from "../../features/safety/submit-report.ts";
import { Shell } from "../../layout/shell/shell.tsx";
import { api } from "../../lib/api/api.ts";
import { ApiError } from "../../lib/api/errors.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { setTitle } from "../../lib/page/document-title.ts";
import { useIsPrivacyScreenShown } from "../../lib/page/privacy-screen.ts";
import { settings } from "../../lib/page/settings.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Profile } from "./profile.tsx";
import portraitStyles from "../../ui/styles/portrait.module.css";
import styles from "./member-profile.module.css";

const DEFAULT_ICON = "/media/default-icon.svg";

/** Returns no user if the profile does not exist or its member has blocked the viewer. */
export async function loader({ params }: LoaderFunctionArgs) {
  try {
    const found = await api(getUser, { userId: params.userId! });
    const isShownClear = found.matched ? await showsClearTo(found.user.user_id) : null;
    return { found: { ...found, isShownClear }, missing: null };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    return { found: null, missing: { text: error.message, blockedId: await findBlocked(params.userId!) } };
  }
}

/** The member's own block is the one reason that they may learn. Returns null if there is none. */
async function findBlocked(userId: string): Promise<string | null> {
  const { users } = await api(getBlocks, {});
  const blocked = users.find(({ user_id }) => user_id.toLowerCase() === userId.toLowerCase());
  return blocked?.user_id ?? null;
}

export async function action({ request }: ActionFunctionArgs) {
  return submitReport(await request.formData());
}

/** A report changes nothing on the profile. */
export function shouldRevalidate({ formData, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return !isReport(formData) && defaultShouldRevalidate;
}

/** Returns null if the viewer keeps no clear picture. */
async function showsClearTo(userId: string): Promise<boolean | null> {
  const { user: me } = await api(getOwnUser, {});
  if (me.clear_pictures.every((picture) => picture === null)) return null;
  const { users } = await api(getClearIconViewers, {});
  return users.some(({ user_id }) => user_id === userId);
}

export default function MemberProfileScreen() {
  const { found, missing } = useLoaderData<typeof loader>();
  return (
    <Shell hasMenu hasFooter={false} width={found ? "wide" : "form"}>
      {found ? (
        <Fragment key={found.user.user_id}>
          <Title person={found.user} />
          <Profile {...found} />
        </Fragment>
      ) : (
        <Missing {...missing} />
      )}
    </Shell>
  );
}

function Missing({ text, blockedId }: { text: string; blockedId: string | null }) {
  const t = useTranslations("profile");
  const base = useLanguagePath();
  const { revalidate } = useRevalidator();
  const unblock = useAction(async () => {
    await api(unblockUser, { userId: blockedId! });
    await revalidate();
  });
  return (
    <div className={styles.missing}>
      <span className={portraitStyles.portrait}>
        <img src={DEFAULT_ICON} alt="" width="600" height="600" />
      </span>
      <h1>{blockedId === null ? text : t("blockedByYou")}</h1>
      {blockedId !== null && (
        <Button busy={unblock.isBusy} onClick={unblock.start}>
          {t("unblock")}
        </Button>
      )}
      <Link className={buttonClass({ kind: "quiet" })} to={base}>
        {t("goHome")}
      </Link>
    </div>
  );
}

/** Only this document title names a member, and only while the page is visible. */
function Title({ person: { username, user_id } }: { person: Party }) {
  const title = `${username} ${user_id}`;
  const isCovered = useIsPrivacyScreenShown();
  useEffect(() => {
    if (isCovered) return undefined;
    const show = () => {
      setTitle(document.visibilityState === "visible" ? title : settings.brandName);
    };
    show();
    document.addEventListener("visibilitychange", show);
    return () => {
      document.removeEventListener("visibilitychange", show);
      setTitle(settings.brandName);
    };
  }, [title, isCovered]);
  return null;
}
