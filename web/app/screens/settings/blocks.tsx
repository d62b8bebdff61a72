import { useLoaderData } from "react-router";
import { useTranslations } from "use-intl";
import { getBlocks, unblockUser } from "@alcove/contract/safety";
import type { Party } from "@alcove/contract/users";
import { api } from "../../lib/api/api.ts";
import { banner } from "../../lib/page/banner.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { MemberRow } from "../../ui/people.tsx";
import { PeopleList, type RowProps } from "./people-list.tsx";

export async function loader() {
  return api(getBlocks, {});
}

export default function BlocksScreen() {
  const { users } = useLoaderData<typeof loader>();
  const t = useTranslations("settings");
  return (
    <PeopleList
      title={t("blocks")}
      text={t("blocksText")}
      empty={t("noBlocks")}
      people={users}
      row={Blocked}
    />
  );
}

function Blocked({ person, onRemoved }: RowProps<Party>) {
  const t = useTranslations("settings");
  const unblock = useAction(async () => {
    await api(unblockUser, { userId: person.user_id });
    banner.notify("settings.unblocked");
    await onRemoved();
  });
  return <MemberRow party={person} label={t("unblock")} action={unblock} />;
}
