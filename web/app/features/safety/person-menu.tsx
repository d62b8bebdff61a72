import { useState } from "react";
import { useTranslations } from "use-intl";
import type { Party } from "@alcove/contract/users";
import { MoreMenu } from "../../ui/menu.tsx";
import { onDemand } from "../../ui/on-demand/on-demand.tsx";

const BlockSheet = onDemand(async () => (await import("./block-sheet.tsx")).BlockSheet);
const ReportSheet = onDemand(async () => (await import("./report-sheet.tsx")).ReportSheet);

interface PersonMenuProps {
  label: string;
  person: Party;
  isMatch?: boolean;
  /** Blocks the member and leaves their card or page. */
  onBlock: (userId: string) => Promise<void>;
}

/** Report and Block behind "⋯". The screen's `action` calls `submitReport`. */
export function PersonMenu({ label, person, isMatch = false, onBlock }: PersonMenuProps) {
  const t = useTranslations("safety");
  // After a block the next person's card is here, while the sheet still closes.
  const [about, setAbout] = useState(person);
  const [sheet, setSheet] = useState<"report" | "block" | null>(null);
  const close = () => setSheet(null);
  const open = (kind: "report" | "block") => () => {
    setAbout(person);
    setSheet(kind);
  };
  return (
    <>
      <MoreMenu
        label={label}
        entries={[
          { icon: "flag", label: t("report"), onChoose: open("report") },
          {
            icon: "block",
            label: t("block"),
            hint: t("blockHint"),
            isDanger: true,
            onChoose: open("block"),
          },
        ]}
      />
      <BlockSheet
        isOpen={sheet === "block"}
        name={about.username}
        isMatch={isMatch}
        onBlock={() => onBlock(about.user_id)}
        onClose={close}
      />
      <ReportSheet
        isOpen={sheet === "report"}
        userId={about.user_id}
        name={about.username}
        isMatch={isMatch}
        onBlock={() => onBlock(about.user_id)}
        onClose={close}
      />
    </>
  );
}
