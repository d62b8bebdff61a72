import { useLoaderData } from "react-router";
import { useTranslations } from "use-intl";
import { getLikes, type GivenLike, takeBackLike } from "@alcove/contract/discovery";
import { LIKES_LISTED } from "@alcove/contract/limits";
import { api } from "../../lib/api/api.ts";
import { banner } from "../../lib/page/banner.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { MemberRow } from "../../ui/people.tsx";
import { PeopleList, type RowProps } from "./people-list.tsx";

export async function loader() {
  return api(getLikes, {});
}

export default function LikesScreen() {
  const { likes } = useLoaderData<typeof loader>();
  const t = useTranslations("settings");
  return (
    <PeopleList title={t("likes")} text={t("likesText")} empty={t("noLikes")} people={likes} row={Liked}>
      {likes.length === LIKES_LISTED && <p className="hint">{t("likesNewest", { count: LIKES_LISTED })}</p>}
    </PeopleList>
  );
}

function Liked({ person, onRemoved }: RowProps<GivenLike>) {
  const t = useTranslations("settings");
  const takeBack = useAction(async () => {
    await api(takeBackLike, { userId: person.user_id });
    banner.notify("settings.likeTakenBack");
    await onRemoved();
  });
  const day = t("likedOn", { day: person.liked_on.replaceAll("-", "/") });
  return <MemberRow party={person} line={day} label={t("takeBack")} action={takeBack} />;
}
