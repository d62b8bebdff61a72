import { readWithFiles } from "../../lib/forms/form-files.ts";
import type { Route } from "./+types/profile";
import { EditProfile, loadProfile, submitProfile } from "./edit-profile.tsx";

export async function clientLoader() {
  return loadProfile();
}

export async function clientAction({ request }: Route.ClientActionArgs) {
  return submitProfile(await readWithFiles(request));
}

export default function ProfileScreen({ loaderData }: Route.ComponentProps) {
  return <EditProfile loaded={loaderData} />;
}
