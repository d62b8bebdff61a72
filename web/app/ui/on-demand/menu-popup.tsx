import { Menu as Base } from "@base-ui/react/menu";
import { useContext, useState } from "react";
import { DialogsPaused } from "./dialogs-paused.ts";
import { Icon, type IconName } from "../icon.tsx";

export interface MenuEntry {
  icon: IconName;
  label: string;
  hint?: string;
  isDanger?: boolean;
  onChoose: () => void;
}

export interface MenuProps {
  label: string;
  entries: readonly MenuEntry[];
}

/** Open at first. */
export function MenuPopup({ label, entries }: MenuProps) {
  const [isOpen, setOpen] = useState(true);
  const isPaused = useContext(DialogsPaused);
  return (
    <Base.Root open={isOpen && !isPaused} onOpenChange={setOpen}>
      <Base.Trigger className="icon-btn icon-btn--raised" aria-label={label} title={label}>
        <Icon name="more" />
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner className="menu-at" align="end" sideOffset={6} collisionPadding={12}>
          <Base.Popup className="menu" aria-label={label}>
            {entries.map((entry) => (
              <Entry key={entry.label} {...entry} />
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

function Entry({ icon, label, hint, isDanger = false, onChoose }: MenuEntry) {
  return (
    <Base.Item
      className={isDanger ? "menu__item menu__item--danger" : "menu__item"}
      label={label}
      onClick={onChoose}
    >
      <Icon name={icon} />
      <span>
        {label}
        {hint && <span className="hint">{hint}</span>}
      </span>
    </Base.Item>
  );
}
