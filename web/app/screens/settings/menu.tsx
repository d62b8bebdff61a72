import { readWithFiles } from "../../lib/forms/form-files.ts";
import type { Route } from "./+types/menu";
import { EditProfile, loadProfile, submitProfile } from "./edit-profile.tsx";
import { isWide } from "../../features/settings-menu/wide.ts";

/** `/{lang}/setting`: the layout shows the menu. A wide window opens with the profile beside it. */
export async function clientLoader() {
  return isWide() ? loadProfile() : null;
}

export async function clientAction({ request }: Route.ClientActionArgs) {
  return submitProfile(await readWithFiles(request));
}

export default function SettingMenu({ loaderData }: Route.ComponentProps) {
  return loaderData && <EditProfile loaded={loaderData} />;
}
