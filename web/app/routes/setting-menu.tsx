/** `/{lang}/setting`: nothing beside the menu, which is the screen around it. */
export default function SettingMenu() {
  return null;
}
