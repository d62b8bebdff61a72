import { useTranslations } from "use-intl";
import { NothingSelected } from "../../ui/empty.tsx";

/** `/{lang}/setting`: beside the menu, which is the screen around it, only a word on what it is for. */
export default function SettingMenu() {
  return <NothingSelected text={useTranslations("settings")("chooseOne")} />;
}
