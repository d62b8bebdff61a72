import { useTranslations } from "use-intl";
import { ChooseBeside } from "../../ui/empty.tsx";

/** `/{lang}/setting`: beside the menu, which is the screen around it, only a word on what it is for. */
export default function SettingMenu() {
  return <ChooseBeside text={useTranslations("settings")("chooseOne")} />;
}
