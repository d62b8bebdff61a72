import { useMemo, useState, type ReactNode } from "react";
import type { PublicUser } from "@alcove/contract/users";
import { lazyModule, useLazyModule } from "../../../ui/on-demand/on-demand.tsx";
import type { ConversationState } from "../conversation/conversation.ts";
import { wordsOf } from "../conversation/message-history.ts";
import type { WarningKind } from "./find-warning.ts";

/** With the sheet, so that opening it loads nothing: no request shows that a message has a warning. */
const warningsModule = lazyModule(async () => import("./warnings.ts"));

const NONE: ReadonlyMap<string, WarningKind> = new Map();

export interface Warnings {
  /** By the id of the message. */
  warnings: ReadonlyMap<string, WarningKind>;
  onExplain: (messageId: string, kind: WarningKind) => void;
}

/** The warnings of the shown messages. The rules load once a conversation has a received text. */
export function useWarnings(
  { items, older, status }: ConversationState,
  friend: PublicUser,
  onReport: (messageId: string) => void,
): Warnings & { sheet: ReactNode } {
  const isNeeded = items.some((item) => !item.isOwn && wordsOf(item) !== null);
  const code = useLazyModule(warningsModule, isNeeded);
  const isWhole = older === "none" && status !== "loading";
  const warnings = useMemo(() => code?.findWarnings(items, isWhole) ?? NONE, [code, items, isWhole]);
  const [explained, setExplained] = useState<{ id: string; kind: WarningKind } | null>(null);
  const [isOpen, setOpen] = useState(false);
  function onExplain(id: string, kind: WarningKind) {
    setExplained({ id, kind });
    setOpen(true);
  }
  const sheet = code && explained && (
    <code.WarningSheet
      isOpen={isOpen}
      kind={explained.kind}
      friend={friend}
      onReport={() => {
        setOpen(false);
        onReport(explained.id);
      }}
      onClose={() => setOpen(false)}
    />
  );
  return { warnings, onExplain, sheet };
}
