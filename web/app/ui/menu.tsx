import { useState } from "react";
import { IconButton } from "./button.tsx";
import { lazyModule, onDemand, useLazyModule } from "./on-demand/on-demand.tsx";
import type { MenuAtProps, MenuProps } from "./on-demand/menu-popup.tsx";

export type { MenuEntry } from "./on-demand/menu-popup.tsx";

const menuPopup = lazyModule(() => import("./on-demand/menu-popup.tsx"));

/** The "⋯" button with its menu, whose code the first press loads. */
export function MoreMenu(props: MenuProps) {
  const [press, setPress] = useState<{ isByKeyboard: boolean } | null>(null);
  const loaded = useLazyModule(menuPopup, press !== null, () => setPress(null));
  if (press && loaded) return <loaded.MenuPopup {...props} isByKeyboard={press.isByKeyboard} />;
  return (
    <IconButton
      icon="more"
      {...(props.isPlain ? {} : { look: "raised" })}
      label={props.label}
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={({ detail }) => setPress({ isByKeyboard: detail === 0 })}
    />
  );
}

/** A menu at an element that is not its button. */
export const MenuAt = onDemand<MenuAtProps>(async () => (await menuPopup.load()).MenuPopupAt);
