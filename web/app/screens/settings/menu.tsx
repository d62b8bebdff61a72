import { useTranslations } from "use-intl";
import { NothingSelected } from "../../ui/empty.tsx";

/** `/{lang}/setting`: the layout shows the menu. */
export default function SettingMenu() {
  return <NothingSelected text={useTranslations("settings")("chooseOne")} />;
}
