import { useState, type ComponentType } from "react";
import { IconButton } from "./button.tsx";
import { LOAD_FAILED_EVENT, onDemand } from "./on-demand/on-demand.tsx";
import type { MenuAtProps, MenuProps } from "./on-demand/menu-popup.tsx";

export type { MenuEntry } from "./on-demand/menu-popup.tsx";

/** The "⋯" button with its menu, whose code the first press loads. */
export function MoreMenu(props: MenuProps) {
  const [Popup, setPopup] = useState<ComponentType<MenuProps> | null>(null);
  if (Popup) return <Popup {...props} />;
  const load = (isByKeyboard: boolean) =>
    import("./on-demand/menu-popup.tsx").then(
      ({ MenuPopup }) =>
        setPopup(() => (popup: MenuProps) => <MenuPopup {...popup} isByKeyboard={isByKeyboard} />),
      () => dispatchEvent(new Event(LOAD_FAILED_EVENT)),
    );
  return (
    <IconButton
      icon="more"
      {...(props.isPlain ? {} : { look: "raised" })}
      label={props.label}
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={({ detail }) => void load(detail === 0)}
    />
  );
}

/** A menu at an element that is not its button. */
export const MenuAt = onDemand<MenuAtProps>(
  async () => (await import("./on-demand/menu-popup.tsx")).MenuPopupAt,
);
