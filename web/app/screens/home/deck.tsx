import { useTranslations } from "use-intl";
import type { PublicUser } from "@alcove/contract/users";
import { Introduction } from "../../features/profile/introduction.tsx";
import { ProfileTable } from "../../features/profile/profile-table.tsx";
import { Button } from "../../ui/button.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Icon } from "../../ui/icon.tsx";
import { CardSkeleton } from "./card-skeleton.tsx";
import { Card } from "./card.tsx";
import { NoCandidates } from "./no-candidates.tsx";
import type { useDeck } from "./use-deck.ts";

interface DeckProps {
  deck: ReturnType<typeof useDeck>;
  onReport: (user: PublicUser) => void;
}

export function Deck({ deck, onReport }: DeckProps) {
  const t = useTranslations("home");
  const [first] = deck.options;
  if (first) {
    return (
      <Card
        person={first}
        isDeciding={deck.isDeciding}
        onVerdict={deck.decide}
        onUndo={deck.canUndo ? deck.undo : null}
        isBack={first.user_id === deck.undoneId}
        onReport={() => onReport(first)}
      >
        <Introduction text={first.description} />
        <ProfileTable person={first} />
      </Card>
    );
  }
  if (deck.phase === "loading") return <CardSkeleton />;
  return (
    <>
      {deck.phase === "failed" && (
        <Empty
          title={t("failed")}
          action={
            <Button kind="quiet" small onClick={deck.reload}>
              {t("again")}
            </Button>
          }
        />
      )}
      {deck.emptyReason && <NoCandidates empty={deck.emptyReason} />}
      {deck.canUndo && !deck.isDeciding && (
        <p className="undo">
          <Button kind="ghost" small aria-keyshortcuts="U Backspace" onClick={deck.undo}>
            <Icon name="undo" small />
            {t("undo")}
          </Button>
        </p>
      )}
    </>
  );
}
