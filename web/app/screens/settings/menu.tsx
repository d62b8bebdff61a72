import { type ActionFunctionArgs, useLoaderData } from "react-router";
import { readWithFiles } from "../../lib/forms/form-files.ts";
import { EditProfile, loadProfile, submitProfile } from "./edit-profile.tsx";
import { isWide } from "../../features/settings-menu/wide.ts";

/** `/{lang}/setting`: the layout shows the menu. A wide window opens with the profile beside it. */
export async function loader() {
  return isWide() ? loadProfile() : null;
}

export async function action({ request }: ActionFunctionArgs) {
  return submitProfile(await readWithFiles(request));
}

export default function SettingMenu() {
  const loaderData = useLoaderData<typeof loader>();
  return loaderData && <EditProfile loaded={loaderData} />;
}
