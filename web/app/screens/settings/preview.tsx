import { Link, useLoaderData } from "react-router";
import { useTranslations } from "use-intl";
import { getOwnUser } from "@alcove/contract/accounts";
import { shownAgeOn } from "@alcove/contract/fields";
import type { PublicUser } from "@alcove/contract/users";
import { isolated } from "../../lib/texts/isolated.ts";
import { ArchPictures } from "../../features/profile/arch-pictures.tsx";
import { Introduction } from "../../features/profile/introduction.tsx";
import { Notes } from "../../features/profile/notes.tsx";
import { PersonFacts } from "../../features/profile/person-facts.tsx";
import { PersonHead } from "../../features/profile/person-head.tsx";
import { PersonLinks } from "../../features/profile/person-links.tsx";
import { BackLink } from "../../features/verdict/back-link.tsx";
import { Candidate } from "../../features/verdict/candidate.tsx";
import { Shell } from "../../layout/shell/shell.tsx";
import { api } from "../../lib/api/api.ts";
import { serverNow } from "../../lib/dates-and-units/server-clock.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { buttonClass } from "../../ui/button.tsx";
import { classNames } from "../../ui/class-names.ts";
import stageStyles from "../../features/verdict/stage.module.css";
import decisionBarStyles from "../../features/verdict/decision-bar.module.css";

/** An example: it depends on who looks. */
const SHOWN_DISTANCE = 10;

/** Others see another age than the member in the month of birth. */
export async function loader() {
  const { user } = await api(getOwnUser, {});
  const today = new Date(serverNow()).toISOString().slice(0, 10);
  return { user: { ...user, age: shownAgeOn(today, user.date_of_birth) } };
}

/** The own profile as others see it. */
export default function PreviewScreen() {
  const { user } = useLoaderData<typeof loader>();
  const t = useTranslations("settings");
  const tp = useTranslations("profile");
  const setting = `${useLanguagePath()}/setting`;
  const person: PublicUser = {
    ...user,
    clear_icon: null,
    distance: SHOWN_DISTANCE,
    distance_unit: user.search_range_unit,
    posts: user.posts.filter(({ visibility }) => visibility === "public"),
  };
  return (
    <Shell hasMenu hasFooter={false}>
      <h1 className="vh">{t("previewLine")}</h1>
      <div className={stageStyles.stage}>
        <div className={stageStyles.tools}>
          <BackLink to={setting} label={t("back")} />
        </div>
        <div className={stageStyles.cards}>
          <Candidate
            label={tp("nameAge", { name: isolated(person.username), age: String(person.age) })}
            motion={null}
            onSwipe={null}
            picture={() => <ArchPictures person={person} />}
          >
            <PersonHead person={person} heading="h2" />
            <Introduction text={person.description} />
            <Notes posts={person.posts} />
            <PersonFacts person={person} />
            <PersonLinks person={person} />
          </Candidate>
        </div>
        <div className={classNames(decisionBarStyles.bar, decisionBarStyles.one)}>
          <Link className={buttonClass({ kind: "quiet" })} to={`${setting}/profile`}>
            {t("editProfile")}
          </Link>
          <p className={decisionBarStyles.status}>{t("previewOnly")}</p>
        </div>
      </div>
    </Shell>
  );
}
