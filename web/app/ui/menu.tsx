import { useState, type ComponentType } from "react";
import { IconButton } from "./button.tsx";
import { LOAD_FAILED_EVENT } from "./on-demand/on-demand.tsx";
import type { MenuProps } from "./on-demand/menu-popup.tsx";

/** The "⋯" button with its menu, whose code the first press loads. */
export function MoreMenu(props: MenuProps) {
  const [Popup, setPopup] = useState<ComponentType<MenuProps> | null>(null);
  if (Popup) return <Popup {...props} />;
  const load = () =>
    import("./on-demand/menu-popup.tsx").then(
      ({ MenuPopup }) => setPopup(() => MenuPopup),
      () => dispatchEvent(new Event(LOAD_FAILED_EVENT)),
    );
  return (
    <IconButton
      icon="more"
      look="raised"
      label={props.label}
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={() => void load()}
    />
  );
}
