import { useRef } from "react";
import { useLoaderData, useRevalidator } from "react-router";
import { useTranslations } from "use-intl";
import { getLikes, type GivenLike, takeBackLike } from "@alcove/contract/discovery";
import { LIKES_LISTED } from "@alcove/contract/limits";
import { api } from "../../lib/api/api.ts";
import { banner } from "../../lib/page/banner.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { Empty } from "../../ui/empty.tsx";
import { MemberRow } from "../../ui/people.tsx";
import screenHeadStyles from "../../ui/styles/screen-head.module.css";
import listStyles from "../../ui/styles/list.module.css";

export async function loader() {
  return api(getLikes, {});
}

export default function LikesScreen() {
  const { likes } = useLoaderData<typeof loader>();
  const t = useTranslations("settings");
  const { revalidate } = useRevalidator();
  const heading = useRef<HTMLHeadingElement>(null);

  async function handleTakenBack() {
    await revalidate();
    heading.current?.focus(); // the button disappears with its row
  }

  return (
    <div className="stack">
      <div className={screenHeadStyles.head}>
        <h1 ref={heading} tabIndex={-1}>
          {t("likes")}
        </h1>
      </div>
      <p className="muted">{t("likesText")}</p>
      {likes.length === 0 && <Empty title={t("noLikes")} />}
      {likes.length > 0 && (
        <ul className={listStyles.list}>
          {likes.map((like) => (
            <Liked key={like.user_id} like={like} onTakenBack={handleTakenBack} />
          ))}
        </ul>
      )}
      {likes.length === LIKES_LISTED && <p className="hint">{t("likesNewest", { count: LIKES_LISTED })}</p>}
    </div>
  );
}

function Liked({ like, onTakenBack }: { like: GivenLike; onTakenBack: () => Promise<void> }) {
  const t = useTranslations("settings");
  const takeBack = useAction(async () => {
    await api(takeBackLike, { userId: like.user_id });
    banner.notify("settings.likeTakenBack");
    await onTakenBack();
  });
  const day = t("likedOn", { day: like.liked_on.replaceAll("-", "/") });
  return <MemberRow party={like} line={day} label={t("takeBack")} action={takeBack} />;
}
