import { useState } from "react";
import { useTranslations } from "use-intl";
import type { Party, PublicUser } from "@alcove/contract/users";
import { MoreMenu } from "../../ui/menu.tsx";
import { onDemand } from "../../ui/on-demand/on-demand.tsx";

const NeverAgainSheet = onDemand(async () => (await import("./never-again-sheet.tsx")).NeverAgainSheet);
const BlockSheet = onDemand(async () => (await import("./block-sheet.tsx")).BlockSheet);
const ReportSheet = onDemand(async () => (await import("./report-sheet.tsx")).ReportSheet);

interface PersonMenuProps {
  label: string;
  person: Party & Pick<PublicUser, "posts">;
  isMatch?: boolean;
  /** Blocks the member and leaves their card or page. */
  onBlock: (userId: string) => Promise<void>;
  /** Passes for good and leaves the card or page; absent for a match. */
  onNeverAgain?: (userId: string) => Promise<void>;
  /** Absent on a card: who is on it has written nothing. */
  onThreat?: () => void;
}

/** Never again, Report and Block behind "⋯". The screen's `action` calls `submitReport`. */
export function PersonMenu({
  label,
  person,
  isMatch = false,
  onBlock,
  onNeverAgain,
  onThreat,
}: PersonMenuProps) {
  const t = useTranslations("safety");
  // After a block the next person's card is here, while the sheet still closes.
  const [about, setAbout] = useState(person);
  const [sheet, setSheet] = useState<"never" | "report" | "block" | null>(null);
  const close = () => setSheet(null);
  const open = (kind: "never" | "report" | "block") => () => {
    setAbout(person);
    setSheet(kind);
  };
  return (
    <>
      <MoreMenu
        label={label}
        entries={[
          ...(onNeverAgain
            ? [
                {
                  icon: "never" as const,
                  label: t("neverAgain"),
                  hint: t("neverAgainHint"),
                  onChoose: open("never"),
                },
              ]
            : []),
          { icon: "flag", label: t("report"), onChoose: open("report") },
          ...(onThreat
            ? [{ icon: "alert" as const, label: t("threat"), hint: t("threatHint"), onChoose: onThreat }]
            : []),
          {
            icon: "block",
            label: t("block"),
            hint: t("blockHint"),
            isDanger: true,
            onChoose: open("block"),
          },
        ]}
      />
      {onNeverAgain && (
        <NeverAgainSheet
          isOpen={sheet === "never"}
          name={about.username}
          onConfirm={() => onNeverAgain(about.user_id)}
          onClose={close}
        />
      )}
      <BlockSheet
        isOpen={sheet === "block"}
        name={about.username}
        isMatch={isMatch}
        onBlock={() => onBlock(about.user_id)}
        onClose={close}
      />
      <ReportSheet
        isOpen={sheet === "report"}
        about={{ userId: about.user_id }}
        name={about.username}
        posts={about.posts}
        isMatch={isMatch}
        onBlock={() => onBlock(about.user_id)}
        onClose={close}
      />
    </>
  );
}
